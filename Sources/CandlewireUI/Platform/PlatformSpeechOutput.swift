// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(AVFoundation)
    internal import AVFoundation

    /// The platform's voice.
    @MainActor
    public final class PlatformSpeechOutput: SpeechOutput {
        private let synthesizer = AVSpeechSynthesizer()
        private let language: String?

        /// - Parameter language: of the voice, for example `en-GB`; `nil`: the system's.
        public init(language: String? = nil) { self.language = language }

        public func speak(_ text: String) {
            let utterance = AVSpeechUtterance(string: text)
            utterance.voice = language.flatMap { AVSpeechSynthesisVoice(language: $0) }
            // Texts wait for each other in the synthesizer's queue.
            synthesizer.speak(utterance)
        }

        public func stop() { synthesizer.stopSpeaking(at: .immediate) }
    }
#endif
