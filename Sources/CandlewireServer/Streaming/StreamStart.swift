import MarketModel
import NIOCore
import StreamCore

/// What a subscription begins with: the position, and what leads up to it.
struct StreamStart: Sendable {
    enum CatchUp: Sendable {
        /// The frames that were missed.
        case replay([ByteBuffer])
        case snapshot([Candle])

        var isReplay: Bool {
            if case .replay = self { true } else { false }
        }
    }

    enum Reason: Sendable {
        /// The reader subscribed.
        case answer(StreamRequest)
        /// The reader was too slow for the stream's messages, and gets its state instead.
        case refresh
        /// Continuity is lost for everybody.
        case newEpoch
    }

    var key: StreamKey
    var reason: Reason
    var position: StreamPosition
    var catchUp: CatchUp
}
