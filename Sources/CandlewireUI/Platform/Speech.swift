public import Foundation

/// Turns speech into text: the platform's recogniser (`PlatformSpeechInput`), or a test's.
@MainActor
public protocol SpeechInput: AnyObject {
    /// Begins to listen. Calls `onEvent` on the main actor: texts, each all since the start, then `ended` once.
    func start(locale: Locale, onEvent: @escaping @MainActor (SpeechInputEvent) -> Void)
    /// Listens no more; the last text and `ended` still come.
    func finish()
    /// Ends at once; no event comes any more.
    func cancel()
}

public enum SpeechInputEvent: Sendable, Hashable {
    /// All that was understood since the start.
    case text(String)
    /// - Parameter reason: what went wrong, a sentence; `nil`: nothing.
    case ended(reason: String?)
}

/// Speaks texts one after another: the platform's voice (`PlatformSpeechOutput`), or a test's.
@MainActor
public protocol SpeechOutput: AnyObject {
    /// Speaks the text after those that wait.
    func speak(_ text: String)
    /// Is silent at once; what waits is dropped.
    func stop()
}
