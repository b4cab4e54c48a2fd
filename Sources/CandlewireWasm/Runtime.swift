// What a program without a C start-up has to do itself.

/// The seed of Swift's hash tables. The C library would request random bytes from the host, and drag its error printing in
/// with them; a fixed seed keeps the module free of imports and every run the same. The tables' keys are the module's
/// own, so no input can make them collide.
@_cdecl("arc4random_buf")
public func fillHashSeed(_ bytes: UnsafeMutableRawPointer, _ count: Int) {
    for offset in 0..<count { bytes.storeBytes(of: 0x5C, toByteOffset: offset, as: UInt8.self) }
}

@_extern(c, "__wasm_call_ctors")
private func callConstructors()

/// Runs the C library's constructors once; a library has no start that would.
let runtimeStarted: Void = callConstructors()

// MARK: Memory

// In the place of the C library's allocator, which would be a sixtieth of the module; the linker puts the two functions
// there (`--wrap`). Before each piece are eight bytes: of a small one the number of its size, of which there are four a
// doubling, of a large one its length.

@_extern(c, "sbrk")
private func grow(_ bytes: Int) -> UnsafeMutableRawPointer

/// Free memory, in the order of the addresses; two gaps never touch. Lengths are multiples of 16.
private struct Gap {
    var next: UnsafeMutablePointer<Gap>?
    var length: UInt
}

nonisolated(unsafe) private var gaps: UnsafeMutablePointer<Gap>?
/// The last freed piece of each small size; the one before it is named where the piece's own bytes were.
nonisolated(unsafe) private var freed: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
/// Of the gap that small pieces are cut from, what is left.
nonisolated(unsafe) private var start: UInt = 0, end: UInt = 0
/// Pieces given out, so that a test can hold "no allocation per frame" against the very module that the page loads.
nonisolated(unsafe) private var count = 0

private let largestSmall = 2048
private let cutLength: UInt = 16_384

/// The end of the smallest gap that is large enough, or of new memory; 0 where there is none.
@inline(never)
private func cut(_ length: UInt) -> UInt {
    var best: UnsafeMutablePointer<Gap>?
    var (before, last): (UnsafeMutablePointer<Gap>?, UnsafeMutablePointer<Gap>?)
    var next = gaps
    while let gap = next {
        if gap.pointee.length >= length, gap.pointee.length < best?.pointee.length ?? .max {
            (best, before) = (gap, last)
        }
        (last, next) = (gap, gap.pointee.next)
    }
    guard let gap = best else {
        // Only what the last gap lacks, where it reaches to the end of the memory.
        let isLast = last.map { UInt(bitPattern: $0) + $0.pointee.length == UInt(bitPattern: grow(0)) } ?? false
        let added = (length - (isLast ? last?.pointee.length ?? 0 : 0) + 65_535) / 65_536 * 65_536
        let address = UInt(bitPattern: grow(Int(bitPattern: added)))
        if address == .max { return 0 }
        addGap(address, added)
        return cut(length)
    }
    // From its front, so that what is freed behind it joins the rest.
    var rest = gap.pointee.next
    if gap.pointee.length > length {
        rest = UnsafeMutablePointer(bitPattern: UInt(bitPattern: gap) + length)
        rest?.pointee = Gap(next: gap.pointee.next, length: gap.pointee.length - length)
    }
    if let before { before.pointee.next = rest } else { gaps = rest }
    return UInt(bitPattern: gap)
}

@inline(never)
private func addGap(_ address: UInt, _ length: UInt) {
    var before: UnsafeMutablePointer<Gap>?
    var next = gaps
    while let gap = next, UInt(bitPattern: gap) < address { (before, next) = (gap, gap.pointee.next) }
    var length = length
    if let gap = next, address + length == UInt(bitPattern: gap) {
        length += gap.pointee.length
        next = gap.pointee.next
    }
    if let before, UInt(bitPattern: before) + before.pointee.length == address {
        before.pointee = Gap(next: next, length: before.pointee.length + length)
        return
    }
    let gap = UnsafeMutablePointer<Gap>(bitPattern: address)
    gap?.pointee = Gap(next: next, length: length)
    if let before { before.pointee.next = gap } else { gaps = gap }
}

/// - Parameter alignment: 16 at most; no type of the module has more.
@_cdecl("__wrap_posix_memalign")
public func allocateMemory(
    _ result: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: Int, _ bytes: Int
) -> Int32 {
    count &+= 1
    let address: UInt
    let mark: UInt
    if bytes > largestSmall {
        mark = (UInt(bitPattern: bytes) + 31) / 16 * 16
        address = cut(mark)
        guard address > 0 else { return 12 }
    } else {
        // In steps of 16 bytes, less one.
        let steps = UInt32(truncatingIfNeeded: bytes + 23) / 16 - 1
        let shift = steps < 4 ? 0 : 29 - UInt32(steps.leadingZeroBitCount)
        mark = UInt(shift * 4 + steps >> shift)
        if let freed, let piece = freed[Int(mark)] {
            freed[Int(mark)] = piece.load(as: UnsafeMutableRawPointer?.self)
            result.pointee = piece
            return 0
        }
        let length = UInt((steps >> shift + 1) << shift) * 16
        if end - start < length {
            if end > start + 8 { addGap(start + 8, end - start - 8) }
            let gap = cut(cutLength)
            guard gap > 0 else {
                end = start
                return 12
            }
            (start, end) = (gap + 8, gap + cutLength)
            if freed == nil {
                freed = UnsafeMutablePointer(bitPattern: start)
                for size in 0..<32 { freed?[size] = nil }
                start += 128
            }
        }
        address = start - 8
        start += length
    }
    let piece = UnsafeMutableRawPointer(bitPattern: address + 16)
    piece?.storeBytes(of: mark, toByteOffset: -8, as: UInt.self)
    result.pointee = piece
    return 0
}

@_cdecl("__wrap_free")
public func freeMemory(_ piece: UnsafeMutableRawPointer?) {
    guard let piece, let freed else { return }
    let mark = piece.load(fromByteOffset: -8, as: UInt.self)
    if mark > largestSmall { return addGap(UInt(bitPattern: piece) - 16, mark) }
    piece.storeBytes(of: freed[Int(mark)], as: UnsafeMutableRawPointer?.self)
    freed[Int(mark)] = piece
}

/// How many pieces of memory the module has allocated since it began; it wraps around at 2^32.
@_cdecl("cw_allocation_count")
public func cw_allocation_count() -> Int32 { Int32(truncatingIfNeeded: count) }
