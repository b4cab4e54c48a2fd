import Foundation
import MarketFeeds

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The bytes of a file that is imported, unpacked where it is packed.
final class ImportInput {
    /// The file as it was named.
    let name: String
    /// How much of it was read, 0 to 1; `nil` where nobody knows how much there is.
    var fraction: Double? { size.map { $0 > 0 ? Double(taken) / Double($0) : 1 } }

    private let handle: FileHandle
    private let size: Int?
    private var taken = 0
    private var unpacker: GunzipStream?

    init(_ name: String) throws {
        self.name = name == "-" ? "standard input" : name
        guard name != "-" else {
            handle = .standardInput
            size = nil
            return
        }
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: name, isDirectory: &isDirectory)
        guard exists, !isDirectory.boolValue, let handle = FileHandle(forReadingAtPath: name) else {
            let reason =
                !exists ? "there is no such file" : isDirectory.boolValue ? "it is a directory" : "it cannot be read"
            throw HistoryFailure(66, "\(name): \(reason); give a CSV file.")
        }
        self.handle = handle
        // A pipe has no size to tell.
        let attributes = try? FileManager.default.attributesOfItem(atPath: name)
        let isFile = attributes?[.type] as? FileAttributeType == .typeRegular
        size = isFile ? (attributes?[.size] as? NSNumber)?.intValue : nil
    }

    /// Whether `path` is this very file, by whatever name or link: writing there would destroy what is to be read.
    func isSame(as path: String) -> Bool {
        // By its descriptor: what comes through a redirection has no name.
        guard let ours = Self.identity("/dev/fd/\(handle.fileDescriptor)"), let theirs = Self.identity(path) else {
            return false
        }
        return ours == theirs
    }

    /// Device and number of the file that a name or link leads to; `nil` where there is none.
    private static func identity(_ path: String) -> [Int]? {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target),
            let device = attributes[.systemNumber] as? NSNumber, let file = attributes[.systemFileNumber] as? NSNumber
        else { return nil }
        return [device.intValue, file.intValue]
    }

    /// Reads the next piece; `false` at the end.
    func next(_ each: (ArraySlice<UInt8>) throws -> Void) throws -> Bool {
        let data: Data?
        do {
            data = try handle.read(upToCount: 1 << 18)
        } catch {
            throw HistoryFailure(66, "\(name) cannot be read any further: \((error as NSError).localizedDescription)")
        }
        guard let data, !data.isEmpty else {
            if let unpacker, !unpacker.isAtEnd {
                throw HistoryFailure(66, "\(name) ends in the middle of what is packed in it; the copy is not whole.")
            }
            return false
        }
        let bytes = Array(data)
        if taken == 0, GunzipStream.isCompressed(bytes) { unpacker = try GunzipStream() }
        taken += bytes.count
        guard let unpacker else {
            try each(bytes[...])
            return true
        }
        do {
            try unpacker.take(bytes, each)
        } catch is GunzipStream.Failure {
            throw HistoryFailure(66, "\(name) is packed with gzip, but damaged.")
        }
        return true
    }
}
