import Foundation
import HistoryStore
import StreamCore
import Synchronization
public import Tracing

/// Writes spans to a file, one JSON object a line, so that traces are useful without a collector.
///
/// A span is written when it ends. Nothing waits for the disk: lines gather in memory, at most `maxWaiting` bytes of them,
/// and a thread of the system writes them; what does not fit is dropped, and the next line says how many were. When the file
/// has `maxBytes`, it gets the ending `.1`, in the place of an older one, and another begins, where it may be renamed.
public final class SpanFile: Tracer {
    /// Bytes of lines that wait for the disk.
    static let maxWaiting = 1 << 20

    private struct State {
        var waiting: [UInt8] = []
        var isWriting = false
        /// Spans that were not kept since the last line.
        var dropped = 0
    }

    public let path: String
    private let sample: Double
    private let file: RotatingFile
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "candlewire.spans", qos: .utility)

    /// Creates the file, for its owner alone, or adds to it.
    /// - Parameter sample: the share of traces that is recorded, 0 to 1. A trace that began elsewhere (`traceparent`) is
    ///   recorded where it was there.
    /// - Throws: `ServerError` where the file cannot be written.
    public init(_ path: String, sample: Double, maxBytes: Int = 64 << 20) throws {
        self.path = path
        self.sample = sample
        file = RotatingFile(paths: [path, path + ".1"], maxBytes: maxBytes, isSynced: false)
        do throws(RotatingFile.Failure) { try file.append([]) } catch {
            throw ServerError(.data, "The trace file \(path) cannot be written (\(error)).")
        }
    }

    // MARK: Tracer

    public func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> FileSpan {
        var context = context()
        let parent = context.place
        let isSampled = parent?.isSampled ?? (context.isSampled || Double.random(in: 0..<1) < sample)
        let place = TracePlace(
            trace: parent?.trace ?? Self.hexadecimal(2), span: Self.hexadecimal(1), isSampled: isSampled)
        context.place = place
        return FileSpan(
            operationName, kind: kind, context: context, place: place, parent: parent?.span,
            start: instant().nanosecondsSinceEpoch, file: isSampled ? self : nil)
    }

    /// What waits is written soon by itself.
    public func forceFlush() {}

    /// W3C Trace Context: `traceparent` is `00-` 32 digits `-` 16 digits `-` flags.
    public func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let text = extractor.extract(key: "traceparent", from: carrier), text.utf8.count == 55 else { return }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let digits = Set("0123456789abcdef")
        guard parts.count == 4, parts.map(\.count) == [2, 32, 16, 2], parts[0] == "00",
            parts.joined().allSatisfy(digits.contains), let flags = UInt8(parts[3], radix: 16),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return }
        // Whoever sends it does not decide how much is written: only of what would be sampled anyway.
        context.place = TracePlace(
            trace: String(parts[1]), span: String(parts[2]),
            isSampled: flags & 1 == 1 && Double.random(in: 0..<1) < sample)
    }

    public func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let place = context.place else { return }
        injector.inject(
            "00-\(place.trace)-\(place.span)-\(place.isSampled ? "01" : "00")", forKey: "traceparent", into: &carrier)
    }

    private static func hexadecimal(_ words: Int) -> String {
        (0..<words).map { _ in
            withUnsafeBytes(of: UInt64.random(in: 1...UInt64.max)) { $0.hexadecimal }
        }.joined()
    }

    // MARK: Writing

    fileprivate func write(_ line: [UInt8]) {
        let isFirst = state.withLock { state in
            guard state.waiting.count + line.count <= Self.maxWaiting else {
                state.dropped += 1
                return false
            }
            let dropped = state.dropped
            if dropped > 0 {
                state.waiting.object { $0.field("dropped_spans", dropped) }
                state.waiting.append(0x0A)
                state.dropped = 0
            }
            state.waiting += line
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { queue.async { self.writeWaiting() } }
    }

    private func writeWaiting() {
        while true {
            let bytes = state.withLock { state in
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.isWriting = false }
                return state.waiting
            }
            guard !bytes.isEmpty else { return }
            // A full disk costs spans and nothing else.
            try? file.append(bytes)
        }
    }
}

/// A span of `SpanFile`.
public final class FileSpan: Span {
    /// Attributes and events of one span; more are left out.
    private static let maxParts = 32
    /// Characters of a text in it.
    private static let maxText = 256

    private struct State {
        var name: String
        var attributes = SpanAttributes()
        var status: SpanStatus?
        var events: [SpanEvent] = []
        var isOver = false
    }

    public let context: ServiceContext
    private let place: TracePlace
    private let parent: String?
    private let kind: SpanKind
    private let start: UInt64
    /// `nil`: the span is not recorded.
    private let file: SpanFile?
    private let state: Mutex<State>

    fileprivate init(
        _ name: String, kind: SpanKind, context: ServiceContext, place: TracePlace, parent: String?, start: UInt64,
        file: SpanFile?
    ) {
        self.kind = kind
        self.context = context
        self.place = place
        self.parent = parent
        self.start = start
        self.file = file
        state = Mutex(State(name: name))
    }

    public var isRecording: Bool { file != nil }

    public var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    public var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    public func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }

    public func addEvent(_ event: SpanEvent) {
        guard file != nil else { return }
        state.withLock { if $0.events.count < Self.maxParts { $0.events.append(event) } }
    }

    /// Its type alone: a description may have what clients sent.
    public func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        addEvent(SpanEvent(name: "error: \(type(of: error))", at: instant(), attributes: attributes))
    }

    public func addLink(_ link: SpanLink) {}

    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        guard let file else { return }
        let end = instant().nanosecondsSinceEpoch
        let state = state.withLock { state -> State? in
            defer { state.isOver = true }
            return state.isOver ? nil : state
        }
        guard let state else { return }
        var line: [UInt8] = []
        line.object { sink in
            sink.fields("trace_id", place.trace, "span_id", place.span, "parent_id", parent)
            sink.fields("name", String(state.name.prefix(Self.maxText)), "kind", "\(kind)")
            let begin = Int(clamping: start)
            sink.fields("start_unix_nano", begin, "duration_nano", Int(clamping: end) - begin)
            if state.status?.code == .error { sink.field("status", "error") }
            sink.object("attributes") { Self.write(state.attributes, into: &$0) }
            sink.list("events", state.events) { event, sink in
                sink.object {
                    $0.fields(
                        "name", String(event.name.prefix(Self.maxText)), "unix_nano",
                        Int(clamping: event.nanosecondsSinceEpoch))
                }
            }
        }
        line.append(0x0A)
        file.write(line)
    }

    private static func write(_ attributes: SpanAttributes, into sink: inout [UInt8]) {
        var written = 0
        attributes.forEach { name, value in
            guard written < maxParts else { return }
            if written > 0 { sink.json(",") }
            written += 1
            sink.string(String(name.prefix(maxText)))
            sink.json(":")
            switch value {
            case .int32(let number): sink.integer(Int(number))
            case .int64(let number): sink.integer(Int(clamping: number))
            case .double(let number): sink.number(number)
            case .bool(let flag): sink.bool(flag)
            case .string(let text): sink.string(String(text.prefix(maxText)))
            default: sink.string(String("\(value)".prefix(maxText)))
            }
        }
    }
}
