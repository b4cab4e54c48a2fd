import BenchZlib
import Foundation
import MarketModel
import StreamCore

/// The stream's market data in JSON, in JSON with permessage-deflate and in the binary encoding: bytes on the wire, the
/// server's way from a tick to a frame, and the client's from a frame to the message.
///
/// A server writes JSON and binary once for all readers of a stream, but compresses for each of them.
enum EncodingBenchmark {
    private static let count = 100_000
    private static let json = ServerMessageWriter.symbolJSON("BTC-USD")
    private static let utf8 = Array("BTC-USD".utf8)

    private typealias Write = (_ index: Int, inout [UInt8]) -> Void

    static func run() {
        let data = TickData(count: count, seed: 19)
        let ticks = (0..<count).map {
            Tick(timestamp: data.timestamps[$0], price: data.prices[$0], volume: data.volumes[$0])
        }
        let bars = (0..<count).map { index in
            let price = data.prices[index]
            let candle = Candle(
                timestamp: Timeframe.m1.bucketStart(of: data.timestamps[index]), open: price - 3.5, high: price + 11.25,
                low: price - 12.75, close: price, volume: (data.volumes[index] * 311 * 1e8).rounded() / 1e8)
            return Bar(timeframe: .m1, candle: candle, isFinal: false, revision: 0, quality: .complete)
        }
        measure("tick") { index, sink in
            ServerMessageWriter.tick(
                ticks[index], symbol: json, timeframe: .m1, offset: Int64(1_000_000 + index), into: &sink)
        } binary: { index, sink in
            BinaryMessageWriter.tick(
                ticks[index], symbol: utf8, timeframe: .m1, offset: Int64(1_000_000 + index), into: &sink)
        }
        measure("forming candle") { index, sink in
            ServerMessageWriter.candle(bars[index], symbol: json, offset: Int64(1_000_000 + index), into: &sink)
        } binary: { index, sink in
            BinaryMessageWriter.candle(bars[index], symbol: utf8, offset: Int64(1_000_000 + index), into: &sink)
        }
    }

    private static func measure(_ name: String, json: @escaping Write, binary: @escaping Write) {
        let encodings: [(name: String, write: Write, opcode: WebSocketOpcode, isCompressed: Bool)] = [
            ("JSON", json, .text, false), ("JSON, deflate", json, .text, true), ("binary", binary, .binary, false),
        ]
        var messages: [ServerMessage?] = []
        for (encoding, write, opcode, isCompressed) in encodings {
            let wire = frames(write, opcode, isCompressed)
            let size = String(format: "%.1f", Double(wire.count) / Double(count))
            let title = "\(name) in \(encoding), \(size) bytes"
            let writing = Stopwatch.time { keep(frames(write, opcode, isCompressed)) }
            Report.rate("\(title), written", count, writing, unit: "messages")
            let reading = Stopwatch.time { keep(last(in: wire, isCompressed)) }
            Report.rate("\(title), read", count, reading, unit: "messages")
            messages.append(last(in: wire, isCompressed))
        }
        precondition(messages[0] != nil && messages.allSatisfy { $0 == messages[0] }, "all say the same")
    }

    /// What the server does: each message written, then framed.
    private static func frames(_ write: Write, _ opcode: WebSocketOpcode, _ isCompressed: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 256)
        var scratch: [UInt8] = []
        var head = [UInt8](repeating: 0, count: 10)
        let deflate = isCompressed ? Deflate() : nil
        var compressed: [UInt8] = []
        for index in 0..<count {
            scratch.removeAll(keepingCapacity: true)
            write(index, &scratch)
            if let deflate {
                deflate.compress(scratch, into: &compressed)
                swap(&scratch, &compressed)
            }
            let length = head.withUnsafeMutableBytes {
                WebSocketFrameEncoder.writeHeader(
                    to: $0.baseAddress!, opcode: opcode, isCompressed: isCompressed, payloadLength: scratch.count)
            }
            bytes += head[..<length]
            bytes += scratch
        }
        return bytes
    }

    /// What the client does: frames parsed, messages decoded. Returns the last one.
    private static func last(in frames: [UInt8], _ isCompressed: Bool) -> ServerMessage? {
        var machine = WebSocketMachine(role: .client, limits: .client, allowsCompression: isCompressed)
        let inflate = isCompressed ? Inflate() : nil
        var text: [UInt8] = []
        var last: ServerMessage?
        var read = 0
        frames.withUnsafeBytes { all in
            var input = all
            while let event = machine.next(&input) {
                switch event {
                case .text(let bytes): last = try? ServerMessage.decode(bytes)
                case .binary(let bytes): last = try? ServerMessage.decode(binary: bytes)
                case .compressed(let bytes, _):
                    inflate?.inflate(bytes, into: &text)
                    last = text.withUnsafeBytes { try? ServerMessage.decode($0) }
                default: break
                }
                read += last == nil ? 0 : 1
            }
        }
        precondition(read == count, "every message is read")
        return last
    }
}

/// One direction of permessage-deflate, with the parameters of the transport's `WebSocketCompression`.
private final class Deflate {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    init() {
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream, 6, Z_DEFLATED, -12, 5, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(status == Z_OK)
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    func compress(_ message: [UInt8], into output: inout [UInt8]) {
        output.removeAll(keepingCapacity: true)
        output.append(contentsOf: repeatElement(0, count: message.count + 64))
        let left = run(stream, message, into: &output) { deflate($0, Z_SYNC_FLUSH) }
        // A flush ends with four bytes that the receiver adds again.
        output.removeLast(left + 4)
    }
}

private final class Inflate {
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

    init() {
        stream.initialize(to: z_stream())
        precondition(inflateInit2_(stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK)
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func inflate(_ payload: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        output.removeAll(keepingCapacity: true)
        output.append(contentsOf: repeatElement(0, count: 4096))
        let input = Array(payload) + [0, 0, 0xFF, 0xFF]
        let left = run(stream, input, into: &output) { BenchZlib.inflate($0, Z_SYNC_FLUSH) }
        output.removeLast(left)
    }
}

/// - Returns: how many bytes of the output are left.
private func run(
    _ stream: UnsafeMutablePointer<z_stream>, _ input: [UInt8], into output: inout [UInt8],
    _ step: (UnsafeMutablePointer<z_stream>) -> Int32
) -> Int {
    var input = input
    return input.withUnsafeMutableBufferPointer { from in
        output.withUnsafeMutableBufferPointer { to in
            (stream.pointee.next_in, stream.pointee.avail_in) = (from.baseAddress, UInt32(from.count))
            (stream.pointee.next_out, stream.pointee.avail_out) = (to.baseAddress, UInt32(to.count))
            precondition(step(stream) == Z_OK && stream.pointee.avail_in == 0)
            return Int(stream.pointee.avail_out)
        }
    }
}
