/// Finds a section of a program file by its name: ELF, 64 bits, little-endian, as on every Linux that Swift runs on.
enum ELFSection {
    /// - Parameter file: any bytes; what is not a whole program file has no sections.
    /// - Returns: where the section's contents are in the file.
    static func find(_ name: String, in file: UnsafeRawBufferPointer) -> Range<Int>? {
        guard file.count >= 64, file.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
            let table = integer(UInt64.self, at: 0x28, file), let entrySize = integer(UInt16.self, at: 0x3A, file),
            let count = integer(UInt16.self, at: 0x3C, file), let namesIndex = integer(UInt16.self, at: 0x3E, file),
            entrySize >= 64
        else { return nil }
        func header(_ index: Int) -> Int? {
            let (offset, isTooFar) = table.addingReportingOverflow(UInt64(index) * UInt64(entrySize))
            return isTooFar ? nil : Int(exactly: offset)
        }
        func contents(_ header: Int) -> Range<Int>? {
            guard let offset = integer(UInt64.self, at: header + 0x18, file).flatMap(Int.init(exactly:)),
                let size = integer(UInt64.self, at: header + 0x20, file).flatMap(Int.init(exactly:)),
                offset <= file.count, size <= file.count - offset
            else { return nil }
            return offset..<offset + size
        }
        guard let names = header(Int(namesIndex)).flatMap(contents) else { return nil }
        let wanted = Array(name.utf8) + [0]
        for index in 0..<Int(count) {
            guard let header = header(index), let nameOffset = integer(UInt32.self, at: header, file),
                Int(nameOffset) < names.count, file[names].dropFirst(Int(nameOffset)).starts(with: wanted)
            else { continue }
            return contents(header)
        }
        return nil
    }

    private static func integer<T: FixedWidthInteger>(_: T.Type, at offset: Int, _ file: UnsafeRawBufferPointer) -> T? {
        guard offset >= 0, offset <= file.count - MemoryLayout<T>.size else { return nil }
        return T(littleEndian: file.loadUnaligned(fromByteOffset: offset, as: T.self))
    }
}
