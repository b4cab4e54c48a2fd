import NIOCore
import Tracing

/// Spans of every so many batches of messages, from the market loop to the sockets. Confined to the market loop; where it is
/// not there, a batch costs one comparison.
struct BatchTracing {
    private let tracer: any Tracer
    /// One batch of so many is traced.
    private let every: Int
    private var count = 0
    /// Of the batch that is gathered, where that is traced.
    private var span: (any Span)?

    init(_ tracing: ServerTracing) {
        tracer = tracing.tracer
        every = tracing.sample > 0 ? max(1, Int((1 / max(tracing.sample, 1e-9)).rounded())) : .max
    }

    /// The first message of a batch was made.
    mutating func begin() {
        count += 1
        guard count >= every else { return }
        count = 0
        span = tracer.startAnySpan("tick publish", context: .sampled, ofKind: .producer)
    }

    /// For an event loop that gets the batch; `nil` where it is not traced.
    var delivery: Delivery? { span.map { Delivery(tracer: tracer, context: $0.context) } }

    /// The batch is on its way.
    mutating func end() {
        span?.end()
        span = nil
    }

    /// What an event loop does with a batch.
    struct Delivery: Sendable {
        let tracer: any Tracer
        let context: ServiceContext

        func begin(on loop: Int, streams: Int, messages: Int) -> any Span {
            let span = tracer.startAnySpan("tick deliver", context: context, ofKind: .consumer)
            span.attributes["event_loop"] = loop
            span.attributes["streams"] = streams
            span.attributes["messages"] = messages
            return span
        }
    }
}
