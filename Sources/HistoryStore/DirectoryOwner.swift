import Foundation

/// The account that a directory belongs to, for commands that root runs in it.
///
/// While root's process acts as that account, what it makes is the account's, and a link that the account made leads to nothing
/// that the account may not read or change. For other accounts than root, and in directories of root, nothing changes.
package struct DirectoryOwner: Sendable {
    private let directory: String
    /// `nil`: this process need not act as another one.
    private let account: (user: uid_t, group: gid_t)?

    /// - Parameter directory: where it is missing, it will be of the owner of the nearest folder above it.
    package init(of directory: String) {
        self.directory = directory
        var path = directory
        var owner = stat()
        while true {
            // Before a slash, `lstat` would follow a link.
            while path.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path.removeLast() }
            if lstat(path, &owner) == 0 || path == "/" || path == "." { break }
            path = DataDirectory.folder(of: path)
        }
        // Of a link, whoever made it, but for root's own.
        let isKnown = owner.st_uid != 0 || stat(path, &owner) == 0
        account = geteuid() == 0 && isKnown && owner.st_uid != 0 ? (owner.st_uid, owner.st_gid) : nil
    }

    /// Makes the process act as the owner, until the end of what is returned. Files of root that are needed must be open.
    package func act() throws(StoreError) -> ActingAccount {
        guard let account, geteuid() == 0 else { return ActingAccount(rootGroup: nil) }
        let group = getegid()
        guard setgroups(1, [account.group]) == 0, setegid(account.group) == 0, seteuid(account.user) == 0 else {
            let reason = String(cString: strerror(errno))
            _ = setegid(group)
            throw StoreError(
                .unwritable,
                "The data directory \(directory) belongs to another account, and this process may not act as it "
                    + "(\(reason)); run the command as the directory's owner.")
        }
        return ActingAccount(rootGroup: group)
    }

    /// Runs `body` as the owner.
    func run<Value>(_ body: () throws -> Value) throws -> Value {
        let acting = try act()
        defer { acting.end() }
        return try body()
    }

    /// Gives a folder to the owner that root has just made.
    func give(_ folder: String) throws {
        guard let account else { return }
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fchown(descriptor, account.user, account.group) == 0 else {
            throw SyncedFile.Failure("\(folder) cannot be given to the owner of \(directory)")
        }
    }
}

/// That root's process acts as another account.
package struct ActingAccount: Sendable {
    /// `nil`: it does not.
    let rootGroup: gid_t?

    /// Makes the process root's again.
    package func end() {
        guard let rootGroup else { return }
        _ = seteuid(0)
        _ = setegid(rootGroup)
    }
}

extension DataDirectory {
    /// Makes root's process act as the owner of a directory, to the end of the process or of what is returned.
    @discardableResult package static func actAsOwner(of directory: String) throws(StoreError) -> ActingAccount {
        try DirectoryOwner(of: directory).act()
    }
}
