import MarketModel
import NIOCore
import StreamCore

/// What a subscription begins with: the position, and what leads up to it.
struct StreamStart: Sendable {
    enum CatchUp: Sendable {
        /// The frames that were missed.
        case replay([ByteBuffer])
        case snapshot([Candle])
    }

    var key: StreamKey
    /// What it answers; `nil` where the server begins the stream anew by itself.
    var request: StreamRequest?
    var position: StreamPosition
    var catchUp: CatchUp
}
