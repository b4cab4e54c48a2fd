import Foundation
import Testing
import TradingCore

@testable import CandlewireServer

@Suite("Dead man's switches")
struct CancelTimersTests {
    private let main: AccountID<Paper>
    private let other: AccountID<Paper>

    init() throws {
        main = try AccountID("paper-main")
        other = try AccountID("paper-other")
    }

    @Test("go off once when nobody calls in time, each account by itself")
    func due() {
        var timers = CancelTimers()
        timers.set(main, seconds: 10, now: 0)
        timers.set(other, seconds: 5, now: 0)
        #expect(timers.due(now: 4.9).isEmpty)
        timers.set(other, seconds: 5, now: 4.9)
        #expect(timers.due(now: 9.8).isEmpty)
        #expect(timers.due(now: 10).map(\.account) == [main, other])
        #expect(timers.due(now: 100).isEmpty)
        timers.set(main, seconds: 1, now: 100)
        timers.set(main, seconds: 0, now: 100)
        #expect(timers.due(now: 1000).isEmpty)
    }

    @Test("are kept for a restart until their orders are cancelled on disk, unless they are set again")
    func unfinished() {
        var timers = CancelTimers()
        timers.set(main, seconds: 10, now: 0)
        timers.set(other, seconds: 5, now: 0)
        #expect(timers.due(now: 10).count == 2)
        #expect(timers.kept == ["paper-main": 10, "paper-other": 5] && timers.deadline(of: main) == nil)
        timers.finish(main)
        timers.set(other, seconds: 7, now: 11)
        #expect(timers.kept == ["paper-other": 7])
        timers.finish(other)
        #expect(timers.kept == ["paper-other": 7] && timers.deadline(of: other) == 18)
    }

    @Test("after a restart begin their whole time again; what the file must not say is left out")
    func restart() {
        let kept = [
            "paper-main": 10, "live-main": 10, "": 1, "paper-other": 0, "paper-more": 86_401, "paper-deleted": 10,
        ]
        var timers = CancelTimers(kept: kept, of: [main, other], now: 1000)
        #expect(timers.kept == ["paper-main": 10])
        #expect(timers.due(now: 1009).isEmpty)
        let due = timers.due(now: 1010)
        #expect(due.map(\.account) == [main] && due.map(\.seconds) == [10])
    }

    @Test("the file has what was last set, is written only for a change, and says where it cannot be")
    func file() async throws {
        let folder = RunningServer.temporaryFolder()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let file = try CancelTimersFile(directory: folder)
        #expect(file.kept.isEmpty && !file.save([:]))
        for seconds in 1...50 { file.save(["paper-main": seconds]) }
        #expect(await file.isSaved())
        #expect(!file.save(["paper-main": 50]), "the same again needs no disk")
        #expect(try CancelTimersFile(directory: folder).kept == ["paper-main": 50])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["cancel-after.json"])
        try FileManager.default.removeItem(atPath: folder)
        file.save([:])
        #expect(await file.isSaved() == false)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(await file.isSaved())
        try Data("[]".utf8).write(to: URL(fileURLWithPath: "\(folder)/cancel-after.json"))
        let error = #expect(throws: ServerError.self) { try CancelTimersFile(directory: folder) }
        #expect(error?.description.contains("cancel-after.json") == true)
    }
}
