// `localizedDescription` is the sentence of this error. ChartScene compiles in Embedded Swift, which has no Foundation.
#if canImport(Foundation)
    public import ChartScene
    public import Foundation

    extension DocumentError: LocalizedError {
        public var errorDescription: String? { String(decoding: sentence, as: UTF8.self) }
    }
#endif
