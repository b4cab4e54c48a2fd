import Foundation

/// Exchanges the names of two directories.
enum DirectoryExchange {
    /// In one step where the system can: at no moment is there no directory, and no crash leaves a mixture.
    /// - Returns: false where the system refuses; then nothing has changed.
    static func exchange(_ one: String, _ other: String) -> Bool {
        #if canImport(Glibc)
            if exchangeInOneStep(one, other) { return true }
            // A file system without it; anything else stays an error.
            guard errno == EINVAL || errno == ENOSYS else { return false }
        #endif
        let aside = "\(one).aside"
        guard rename(other, aside) == 0 else { return false }
        guard rename(one, other) == 0 else {
            let reason = errno
            _ = rename(aside, other)
            errno = reason
            return false
        }
        return rename(aside, one) == 0
    }

    #if canImport(Glibc)
        private typealias Rename =
            @convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt

        /// `renameat2` of glibc 2.28, which Swift's module of it does not have.
        private static func exchangeInOneStep(_ one: String, _ other: String) -> Bool {
            guard let symbol = dlsym(nil, "renameat2") else {
                errno = ENOSYS
                return false
            }
            // RENAME_EXCHANGE of linux/fs.h, a macro.
            return unsafeBitCast(symbol, to: Rename.self)(AT_FDCWD, one, AT_FDCWD, other, 2) == 0
        }
    #endif
}
