import CZlib
import NIOCore
import StreamCore
import TestKit
import Testing

@testable import WebSocketTransport

@Suite("Deflating and inflating messages")
struct DeflateTests {
    static func deflater(
        _ windowBits: Int, resets: Bool = false, memoryLevel: Int = 8, memory: ZlibMemory? = nil
    ) throws -> Deflater {
        let deflater = Deflater(
            level: 6, windowBits: windowBits, memoryLevel: memoryLevel, resetsAfterMessage: resets,
            prepare: { memory?.hook(into: $0) })
        guard let deflater else { throw WebSocketClosedError() }
        return deflater
    }

    static func inflater(_ windowBits: Int, resets: Bool = false, memory: ZlibMemory? = nil) throws -> Inflater {
        let inflater = Inflater(
            windowBits: windowBits, resetsAfterMessage: resets, prepare: { memory?.hook(into: $0) })
        guard let inflater else { throw WebSocketClosedError() }
        return inflater
    }

    /// A message that refers back as far as it can: what was random returns after every distance.
    static func message(_ random: inout SeededGenerator, _ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            if bytes.count > 20, Bool.random(using: &random) {
                let from = Int.random(in: 0..<bytes.count, using: &random)
                bytes += bytes[from..<min(bytes.count, from + Int.random(in: 3...300, using: &random))]
            } else {
                bytes += (0..<Int.random(in: 1...40, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            }
        }
        return Array(bytes.prefix(count))
    }

    @Test("every window comes back, with and without context takeover, 8 included", arguments: 8...15)
    func roundTrip(windowBits: Int) throws {
        var random = SeededGenerator(seed: UInt64(windowBits))
        for resets in [false, true] {
            var deflater = try Self.deflater(windowBits, resets: resets)
            var inflater = try Self.inflater(windowBits, resets: resets)
            for size in [0, 1, 2, 63, 200, 256, 5000, 0, 70_000, 3, 300_000, 10, 1000] {
                let message = Self.message(&random, size)
                var packed = ByteBuffer()
                message.withUnsafeBytes { deflater.compress($0, into: &packed) }
                // An output buffer with any room gives the same.
                var output = ByteBuffer()
                let failure = packed.withUnsafeReadableBytes {
                    inflater.inflate($0, limit: size, into: &output)
                }
                #expect(failure == nil)
                #expect(Array(output.readableBytesView) == message, "window \(windowBits), size \(size)")
            }
        }
    }

    @Test("with context takeover the same message costs next to nothing the second time")
    func takeover() throws {
        var random = SeededGenerator(seed: 5)
        let message = (0..<400).map { _ in UInt8.random(in: 0...255, using: &random) }
        for (resets, isSmall) in [(false, true), (true, false)] {
            var deflater = try Self.deflater(15, resets: resets)
            var sizes: [Int] = []
            for _ in 0..<2 {
                var packed = ByteBuffer()
                message.withUnsafeBytes { deflater.compress($0, into: &packed) }
                sizes.append(packed.readableBytes)
            }
            #expect((sizes[1] < 20) == isSmall, "\(sizes)")
        }
    }

    /// RFC 7692 section 7.2.3: the same word in every form of DEFLATE.
    static let hello: [(String, [UInt8])] = [
        ("7.2.3.1 compressed", [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]),
        ("7.2.3.3 not compressed", [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]),
        ("7.2.3.4 BFINAL", [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]),
        ("BFINAL without the byte behind it", [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]),
        ("7.2.3.5 two blocks", [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]),
    ]

    @Test("the examples of the RFC are read, one after the other in one stream")
    func examples() throws {
        var inflater = try Self.inflater(15)
        for (name, bytes) in Self.hello + Self.hello.reversed() {
            var output = ByteBuffer()
            let failure = bytes.withUnsafeBytes { inflater.inflate($0, limit: 5, into: &output) }
            #expect(failure == nil, "\(name)")
            #expect(String(buffer: output) == "Hello", "\(name)")
        }
        let second: [UInt8] = [0xF2, 0x00, 0x11, 0x00, 0x00]
        // 7.2.3.2: the second message refers to the first through the window, also behind a final block.
        var output = ByteBuffer()
        #expect(
            second.withUnsafeBytes { inflater.inflate($0, limit: 5, into: &output) } == nil)
        #expect(String(buffer: output) == "Hello")
    }

    @Test("nothing is one byte, and zero bytes are nothing")
    func empty() throws {
        var deflater = try Self.deflater(15)
        var packed = ByteBuffer()
        deflater.compress(UnsafeRawBufferPointer(start: nil, count: 0), into: &packed)
        #expect(Array(packed.readableBytesView) == [0x00])
        var inflater = try Self.inflater(15)
        var output = ByteBuffer()
        for bytes in [[0x00], []] as [[UInt8]] {
            #expect(bytes.withUnsafeBytes { inflater.inflate($0, limit: 0, into: &output) } == nil)
            #expect(output.readableBytes == 0)
        }
    }

    static let broken: [(String, [UInt8])] = [
        ("a block of a kind that is reserved", [0x06]),
        ("a stored block whose lengths disagree", [0x00, 0x05, 0x00, 0x00, 0x00]),
        ("a reference to before the beginning", [0xF2, 0x00, 0x11, 0x00, 0x00]),
        ("a message that ends inside a block", [0xF2, 0x48, 0xCD]),
        ("a stored block that swallows what the sender left out", [0x00, 0x09, 0x00, 0xF6, 0xFF, 0x48, 0x65]),
        ("noise behind a final block", [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x06]),
        ("codes of no tree", [0xEC, 0xFF, 0xFF, 0xFF, 0xFF]),
    ]

    @Test("data that is no DEFLATE is refused", arguments: broken.indices)
    func refuses(index: Int) throws {
        let (name, bytes) = Self.broken[index]
        var inflater = try Self.inflater(15)
        var output = ByteBuffer()
        let failure = bytes.withUnsafeBytes { inflater.inflate($0, limit: 1000, into: &output) }
        #expect(failure == .invalidCompression, "\(name)")
        #expect(failure?.closeCode == .invalidPayload)
    }

    @Test("a bomb is refused before it is memory", arguments: [1000, 64 << 10, 1 << 20])
    func bomb(limit: Int) throws {
        var deflater = try Self.deflater(15)
        let zeros = [UInt8](repeating: 0, count: 64 << 20)
        var packed = ByteBuffer()
        zeros.withUnsafeBytes { deflater.compress($0, into: &packed) }
        #expect(packed.readableBytes < 80 << 10)
        var inflater = try Self.inflater(15)
        var output = ByteBuffer()
        let failure = packed.withUnsafeReadableBytes { inflater.inflate($0, limit: limit, into: &output) }
        #expect(failure == .inflatedTooBig)
        #expect(failure?.closeCode == .messageTooBig)
        #expect(output.readableBytes == limit + 1)
        #expect(output.capacity <= max(512, 4 * limit))
    }

    @Test("a message of exactly the limit is accepted", arguments: [0, 1, 255, 256, 257, 4096, 65_536])
    func exactly(limit: Int) throws {
        let message = [UInt8](repeating: 0x61, count: limit)
        var deflater = try Self.deflater(15)
        var packed = ByteBuffer()
        message.withUnsafeBytes { deflater.compress($0, into: &packed) }
        var inflater = try Self.inflater(15)
        var output = ByteBuffer()
        #expect(packed.withUnsafeReadableBytes { inflater.inflate($0, limit: limit, into: &output) } == nil)
        #expect(output.readableBytes == limit)
        guard limit > 0 else { return }
        var strict = try Self.inflater(15)
        output.clear()
        let failure = packed.withUnsafeReadableBytes { strict.inflate($0, limit: limit - 1, into: &output) }
        #expect(failure == .inflatedTooBig)
    }

    @Test("random bytes never pass the limit and never crash", arguments: 1...200)
    func noise(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var inflater = try Self.inflater(Int.random(in: 8...15, using: &random), resets: Bool.random(using: &random))
        for _ in 0..<20 {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            var output = ByteBuffer()
            let failure = bytes.withUnsafeBytes { inflater.inflate($0, limit: 500, into: &output) }
            #expect(output.readableBytes <= 501)
            if failure != nil { return }
        }
    }

    /// Each figure of `WebSocketCompression`'s documentation, by zlib's own requests for memory.
    @Test("the stated memory is what zlib needs", arguments: [(12, 5), (15, 8), (9, 1), (15, 9)])
    func memory(windowBits: Int, memoryLevel: Int) throws {
        let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        counter.initialize(to: 0)
        defer { counter.deallocate() }
        let memory = ZlibMemory(counter: counter)
        let text = [UInt8](String(repeating: "a tick, a candle and another tick. ", count: 4000).utf8)
        do {
            var deflater = try Self.deflater(windowBits, memoryLevel: memoryLevel, memory: memory)
            var packed = ByteBuffer()
            text.withUnsafeBytes { deflater.compress($0, into: &packed) }
            let stated = (1 << (windowBits + 2)) + (1 << (memoryLevel + 9))
            #expect(counter.pointee > stated)
            #expect(counter.pointee <= stated + 6 << 10, "sending: \(counter.pointee - stated) bytes more")

            let before = counter.pointee
            var inflater = try Self.inflater(windowBits, memory: memory)
            var output = ByteBuffer()
            #expect(packed.withUnsafeReadableBytes { inflater.inflate($0, limit: 1 << 20, into: &output) } == nil)
            let used = counter.pointee - before
            #expect(used > 1 << windowBits)
            #expect(used <= 1 << windowBits + 7 << 10, "receiving: \(used - 1 << windowBits) bytes more")
        }
        #expect(counter.pointee == 0, "all of it is given back")
    }
}

/// Counts what zlib allocates. Its counter must outlive the streams that use it.
struct ZlibMemory {
    /// Bytes in use now.
    let counter: UnsafeMutablePointer<Int>

    /// In front of each block: its size, which `zfree` does not get.
    private static let headSize = 16

    func hook(into stream: UnsafeMutablePointer<z_stream>) {
        stream.pointee.opaque = UnsafeMutableRawPointer(counter)
        stream.pointee.zalloc = { opaque, items, size in
            let count = Int(items) * Int(size)
            let block = UnsafeMutableRawPointer.allocate(byteCount: count + ZlibMemory.headSize, alignment: 16)
            block.storeBytes(of: count, as: Int.self)
            opaque?.assumingMemoryBound(to: Int.self).pointee += count
            return block + ZlibMemory.headSize
        }
        stream.pointee.zfree = { opaque, address in
            guard let block = address.map({ $0 - ZlibMemory.headSize }) else { return }
            opaque?.assumingMemoryBound(to: Int.self).pointee -= block.load(as: Int.self)
            block.deallocate()
        }
    }
}
