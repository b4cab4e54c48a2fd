import NIOCore
import NIOPosix
import Testing

@testable import CandlewireServer

@Suite("Tasks of connections")
struct LoopExecutorTests {
    @Test("run on the connection's event loop, what computes for long elsewhere, and afterwards on the loop again")
    func threads() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let places = await withTaskExecutorPreference(LoopExecutor(loop)) {
            let before = loop.inEventLoop
            let elsewhere = await withTaskExecutorPreference(globalConcurrentExecutor) { loop.inEventLoop }
            let between = loop.inEventLoop
            // As a request that waits for the ledger, which lives on another loop.
            let answer = try? await MultiThreadedEventLoopGroup.singleton.next().submit { 7 }.get()
            return [before, elsewhere, between, answer == 7, loop.inEventLoop]
        }
        #expect(places == [true, false, true, true, true])
        try await group.shutdownGracefully()
    }
}
