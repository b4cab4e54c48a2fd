import Testing

@testable import StreamCore

@Suite("Rounds over the readers of an event loop")
struct DeliveryRoundsTests {
    /// Readers whose positions follow what they get, and a transcript: `0:t1,t2` is a run of reader 0, where `-3` stands for
    /// three messages that were left out.
    private final class Stage {
        var rounds: DeliveryRounds<String>
        /// Of the one stream that they read.
        var place = 0
        var positions: [Int64] = []
        var gone: Set<Int> = []
        var lines: [String] = []
        /// Runs that had to be made.
        var joins = 0

        func conflate(_ now: Double) -> Bool { rounds.conflate(now: now) }

        init(readers: Int, maxAge: Double = 0.02, minSaving: Int = 0) {
            rounds = DeliveryRounds(maxAge: maxAge, minSaving: minSaving)
            for _ in 0..<readers { add() }
        }

        func add(at position: Int64 = 0) {
            let reader = rounds.addReader()
            place = rounds.join(reader, epoch: 1)
            positions.append(position)
        }

        func post(_ names: [String], at time: Double = 0) {
            rounds.post(names.map { OutboxReader.message($0) }, epoch: 1, madeFrom: time)
        }

        /// So many steps, or all that there are.
        func go(_ steps: Int = .max) {
            for _ in 0..<steps {
                switch rounds.next() {
                case .reader(let reader): turn(reader)
                case .endOfRound(let madeFrom): lines.append("end \(madeFrom)")
                case .idle: return
                }
            }
        }

        private func turn(_ reader: Int) {
            guard !gone.contains(reader) else { return lines.append("\(reader) is gone") }
            let position = positions[reader]
            let run = rounds.run(place: place, after: position) { messages, skipped in
                joins += 1
                var text: [String] = []
                var last = position
                for message in messages {
                    if message.offset > last + 1 { text.append("-\(message.offset - last - 1)") }
                    text.append(message.payload)
                    last = message.offset
                }
                #expect(Int(last - position) == messages.count + skipped)
                return text.joined(separator: ",")
            }
            guard let run else {
                lines.append("\(reader):")
                return
            }
            lines.append("\(reader):\(run.payload)")
            positions[reader] = run.last
        }

        var kept: Int { rounds.streams.reduce(0) { $0 + $1.messages.count } }
    }

    @Test("every reader gets a message in one round, made once for all, and nothing is kept")
    func round() {
        let stage = Stage(readers: 3)
        stage.post(["t1", "f2"], at: 5)
        stage.go()
        #expect(stage.lines == ["0:t1,f2", "1:t1,f2", "2:t1,f2", "end 5.0"])
        #expect(stage.joins == 1 && stage.kept == 0)
        stage.go()
        #expect(stage.lines.count == 4)
    }

    @Test("what comes in a round reaches the readers behind at once, those before in the next round")
    func between() {
        let stage = Stage(readers: 3)
        stage.post(["t1"], at: 1)
        stage.go(1)
        stage.post(["t2"], at: 2)
        stage.go(1)
        stage.post(["t3"], at: 3)
        stage.go()
        #expect(stage.lines == ["0:t1", "1:t1,t2", "2:t1,t2,t3", "end 1.0", "0:t2,t3", "1:t3", "end 2.0"])
        #expect(stage.kept == 0)
    }

    @Test("a round that never ends keeps no more than two rounds of messages")
    func endless() {
        let stage = Stage(readers: 10)
        var most = 0
        for offset in 1...1000 {
            stage.post(["F\(offset)"])
            stage.go(1)
            most = max(most, stage.kept)
        }
        stage.go()
        #expect(most <= 24)
        #expect(stage.positions.allSatisfy { $0 == 1000 })
        #expect(stage.kept == 0)
    }

    @Test("a late loop gives each stream's finals and the latest of the rest, and says how much is missing")
    func late() {
        let stage = Stage(readers: 2)
        stage.post(["t1", "f2", "t3", "F4", "t5", "L6", "f7", "t8", "f9"], at: 1)
        #expect(!stage.conflate(1.015))
        #expect(stage.conflate(1.03))
        stage.go()
        #expect(stage.lines == ["0:-3,F4,-1,L6,-1,t8,f9", "1:-3,F4,-1,L6,-1,t8,f9", "end 1.0"])
        #expect(stage.joins == 1)
    }

    @Test("in the middle of a round those behind get the latest, those before are told only what they missed")
    func lateInRound() {
        let stage = Stage(readers: 3)
        stage.post(["t1"], at: 1)
        stage.go(1)
        stage.post(["t2", "t3"], at: 1.01)
        #expect(stage.conflate(1.03))
        stage.post(["t4"], at: 1.03)
        stage.go(1)
        // Messages wait anew from there: nothing is dropped for each message.
        #expect(!stage.conflate(1.04))
        stage.go()
        #expect(stage.lines == ["0:t1", "1:-2,t3,t4", "2:-2,t3,t4", "end 1.0", "0:-1,t3,t4", "end 1.01"])
    }

    @Test("what all readers have got counts no more, though it is kept until the round ends")
    func delivered() {
        let stage = Stage(readers: 3)
        stage.post(["t1"], at: 1)
        stage.go(3)
        stage.post(["t2", "t3"], at: 1.019)
        #expect(stage.kept == 3)
        #expect(!stage.conflate(1.03))
        #expect(stage.conflate(1.04))
        stage.go()
        #expect(stage.lines.suffix(4) == ["0:-1,t3", "1:-1,t3", "2:-1,t3", "end 1.019"])
    }

    @Test("a late loop drops nothing where that saves hardly any deliveries")
    func thrift() {
        let few = Stage(readers: 4, minSaving: 10)
        few.post(["t1", "t2", "t3"], at: 1)
        #expect(!few.conflate(9))
        few.add()
        few.post(["t4"], at: 1)
        // Three messages, five readers.
        #expect(few.conflate(9))
    }

    @Test("a reader that joins gets what is posted afterwards, and one that left nothing; its number is another's")
    func joins() {
        let stage = Stage(readers: 2)
        stage.post(["t1"], at: 1)
        stage.add(at: 1)
        stage.rounds.leave(1, place: stage.place)
        stage.rounds.removeReader(1)
        stage.gone = [1]
        stage.post(["t2"], at: 1)
        stage.go()
        // It was due, and to look for it among those who wait would cost more than its turn.
        #expect(stage.lines == ["0:t1,t2", "1 is gone", "2:t2", "end 1.0"])
        let again = stage.rounds.addReader()
        #expect(again == 1)
        stage.rounds.leave(0, place: stage.place)
        stage.rounds.leave(2, place: stage.place)
        stage.post(["t3"])
        let step = stage.rounds.next()
        #expect(step == .idle)
        #expect(stage.rounds.places.isEmpty && stage.kept == 0)
    }

    @Test("what was given up on the way is named to each reader that lacks it, until all had their turn")
    func loss() {
        let stage = Stage(readers: 2)
        stage.rounds.lose(epoch: 1, through: 5, madeFrom: 1)
        stage.post(["t6"], at: 1)
        #expect(stage.rounds.hasLosses)
        stage.go()
        #expect(stage.lines == ["0:", "1:", "end 1.0"], "no run leads over what was given up")
        #expect(!stage.rounds.hasLosses)
        stage.rounds.lose(epoch: 1, through: 7, madeFrom: 2)
        stage.post(["t8"], at: 2)
        #expect(stage.rounds.loss(place: stage.place, after: 6) == 7)
        #expect(stage.rounds.loss(place: stage.place, after: 7) == nil)
        #expect(stage.rounds.messages(place: stage.place, after: 7).map(\.payload) == ["t8"])
    }

    @Test("a reader to which only the latest matters gets that, and how many are missing here")
    func latest() {
        let stage = Stage(readers: 2)
        stage.post(["t1", "f2", "t3", "F4", "t7", "t8"])
        let first = stage.rounds.latest(place: stage.place, after: 0)
        #expect(first?.messages.map(\.payload) == ["F4", "t8"] && first?.missing == 2)
        let again = stage.rounds.latest(place: stage.place, after: 4)
        #expect(again?.messages.map(\.payload) == ["t8"] && again?.missing == 2)
        stage.post(["f9"])
        let more = stage.rounds.latest(place: stage.place, after: 4)
        #expect(more?.messages.map(\.payload) == ["t8", "f9"])
        let none = stage.rounds.latest(place: stage.place, after: 9)
        #expect(none == nil)
    }

    @Test("messages are found behind any position", arguments: [Int64(0), 1_000_000_007_000_000])
    func positions(base: Int64) {
        var rounds = DeliveryRounds<String>(minSaving: 0)
        let place = rounds.join(rounds.addReader(), epoch: 1)
        let offsets = [2, 3, 7, 8, 20].map { base + Int64($0) }
        rounds.post(offsets.map { OutboxReader.message("t\($0)") }, epoch: 1, madeFrom: 0)
        for position in base...base + 21 {
            #expect(rounds.messages(place: place, after: position).map(\.offset) == offsets.filter { $0 > position })
        }
    }
}
