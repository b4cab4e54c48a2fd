package import Foundation

/// A file of secrets, which its owner alone may read.
package enum PrivateFile {
    package enum Refusal: Error, Sendable, Equatable {
        case unreadable
        case openToOthers

        /// The end of a sentence that begins with the file's name.
        package var words: String {
            switch self {
            case .unreadable: "cannot be read."
            case .openToOthers: "is open to others: make it yours alone (chmod 600)."
            }
        }
    }

    /// - Parameter rights: those that others must not have; the right to change a public key, for example.
    package static func contents(_ path: String, withoutRights rights: Int = 0o077) throws(Refusal) -> Data {
        // Secrets are often mounted as links, and a link is open to all users whatever it leads to.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        guard let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue,
            let data = FileManager.default.contents(atPath: target)
        else { throw .unreadable }
        guard mode & rights == 0 else { throw .openToOthers }
        return data
    }
}
