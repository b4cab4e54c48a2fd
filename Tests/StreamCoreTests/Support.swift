import StreamCore

extension String {
    /// Runs `body` over the text's bytes.
    func bytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try Array(utf8).withUnsafeBytes(body)
    }
}

/// What was written, as text.
func written(_ write: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    write(&bytes)
    return String(decoding: bytes, as: UTF8.self)
}
