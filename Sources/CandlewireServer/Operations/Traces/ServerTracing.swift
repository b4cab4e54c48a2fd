public import Tracing

/// Where a server's spans go.
public struct ServerTracing: Sendable {
    public var tracer: any Tracer
    /// The share of batches of ticks that is traced, above 0 and at most 1. What share of requests and answers is, the tracer
    /// decides.
    public var sample: Double

    public init(_ tracer: any Tracer, sample: Double) {
        self.tracer = tracer
        self.sample = sample
    }
}

/// A span's place in its trace: W3C Trace Context.
struct TracePlace: Sendable {
    /// 32 hexadecimal digits.
    var trace: String
    /// 16 hexadecimal digits.
    var span: String
    var isSampled: Bool
}

extension ServiceContext {
    private enum PlaceKey: ServiceContextKey {
        typealias Value = TracePlace
    }

    private enum SampledKey: ServiceContextKey {
        typealias Value = Bool
    }

    var place: TracePlace? {
        get { self[PlaceKey.self] }
        set { self[PlaceKey.self] = newValue }
    }

    /// Whether the caller has decided that a span without a parent is recorded.
    var isSampled: Bool { self[SampledKey.self] == true }

    static var sampled: ServiceContext {
        var context = ServiceContext.topLevel
        context[SampledKey.self] = true
        return context
    }
}
