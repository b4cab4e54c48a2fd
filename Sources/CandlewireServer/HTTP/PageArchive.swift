import CZlib
import Foundation
import Hummingbird
import NIOCore

/// The files of the terminal page in one block of memory, which release packages have inside the program.
///
/// There, `Scripts/package` has put it into the section `.candlewire_page` of the program file: its size in 8 bytes,
/// little-endian, and the block as zlib packs it.
///
/// The block begins with lines of text: `candlewire page 1`, the time of the files in seconds since 1970 UTC, a line
/// `SIZE PATH` for each file, and an empty line. The contents follow without gaps, in the order of the lines.
/// `Scripts/support/page_archive.py` writes it.
public struct PageArchive: Sendable {
    static let magic = "candlewire page 1"

    struct Place: Sendable {
        var offset: Int
        var size: Int
    }

    let contents: ByteBuffer
    let places: [String: Place]
    let folders: Set<String>
    /// When the files changed last.
    let modificationDate: Date

    /// - Throws: `ServerError` where it is not whole: the sizes do not add up to what there is, or there is no `index.html`.
    public init(_ bytes: [UInt8]) throws(ServerError) {
        var lines: [Substring] = []
        var start = 0
        while lines.last?.isEmpty != true {
            guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")),
                let line = String(validating: bytes[start..<end], as: UTF8.self)
            else { throw Self.damaged }
            lines.append(line[...])
            start = end + 1
        }
        guard lines.count > 3, lines[0] == Self.magic, let time = Double(lines[1]) else { throw Self.damaged }
        var places: [String: Place] = [:]
        var offset = 0
        for line in lines[2..<lines.count - 1] {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let size = Int(parts[0]), size >= 0, size <= bytes.count - start - offset else {
                throw Self.damaged
            }
            places[String(parts[1])] = Place(offset: offset, size: size)
            offset += size
        }
        guard start + offset == bytes.count, places["index.html"] != nil else { throw Self.damaged }
        contents = ByteBuffer(bytes: bytes[start...])
        self.places = places
        folders = Set(places.keys.flatMap(Self.folders(above:))).union([""])
        modificationDate = Date(timeIntervalSince1970: time)
    }

    /// The page inside this program; `nil`: there is none, as in every build but a package's.
    public static func ofThisProgram() throws(ServerError) -> PageArchive? {
        guard let file = try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/exe"), options: .alwaysMapped) else {
            return nil
        }
        return try of(program: file)
    }

    static func of(program file: Data) throws(ServerError) -> PageArchive? {
        let section = file.withUnsafeBytes { bytes in
            ELFSection.find(".candlewire_page", in: bytes).map { Array(bytes[$0]) }
        }
        guard let section else { return nil }
        return try PageArchive(unpacked(section))
    }

    /// More than a page ever has.
    private static let longest = 64 << 20

    private static func unpacked(_ section: [UInt8]) throws(ServerError) -> [UInt8] {
        let size = section.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        guard section.count > 8, 1...UInt64(longest) ~= size else { throw damaged }
        let packed = Array(section[8...])
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
            var length = uLongf(size)
            let status = uncompress(buffer.baseAddress, &length, packed, uLong(packed.count))
            count = status == Z_OK ? Int(length) : 0
        }
        guard bytes.count == size else { throw damaged }
        return bytes
    }

    private static var damaged: ServerError {
        ServerError(.page, "The page inside this program is damaged; install the package again.")
    }

    /// `a` and `a/b` of `a/b/c.js`.
    private static func folders(above path: String) -> [String] {
        let parts = path.split(separator: "/")
        return parts.indices.dropFirst().map { parts[..<$0].joined(separator: "/") }
    }
}

/// Serves the files of an archive as the middleware serves those of a folder.
struct PageArchiveProvider: FileProvider {
    struct FileAttributes: FileMiddlewareFileAttributes, Sendable {
        let isFolder: Bool
        let size: Int
        let modificationDate: Date
    }

    let archive: PageArchive

    /// A path below the page's folder, without slashes around it.
    func getFileIdentifier(_ path: String) -> String? { path.split(separator: "/").joined(separator: "/") }

    func getAttributes(id: String) -> FileAttributes? {
        let place = archive.places[id]
        guard place != nil || archive.folders.contains(id) else { return nil }
        return FileAttributes(
            isFolder: place == nil, size: place?.size ?? 0, modificationDate: archive.modificationDate)
    }

    func loadFile(id: String, context: some RequestContext) throws -> ResponseBody {
        try loadFile(id: id, range: 0...Int.max, context: context)
    }

    func loadFile(id: String, range: ClosedRange<Int>, context: some RequestContext) throws -> ResponseBody {
        guard let place = archive.places[id] else { throw HTTPError(.notFound) }
        let end = min(range.upperBound, place.size - 1) + 1
        guard range.lowerBound <= end,
            let bytes = archive.contents.getSlice(at: place.offset + range.lowerBound, length: end - range.lowerBound)
        else { throw HTTPError(.rangeNotSatisfiable) }
        return ResponseBody(byteBuffer: bytes)
    }
}
