import CZlib

/// Counts what zlib allocates, for the test that holds the stated figures against it. Its counter must outlive the
/// streams that use it.
struct ZlibMemory {
    /// Bytes in use now.
    let counter: UnsafeMutablePointer<Int>

    /// In front of each block: its size, which `zfree` is not told.
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
