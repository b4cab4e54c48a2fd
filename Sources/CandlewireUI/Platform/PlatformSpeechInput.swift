// Apple's platforms only; type-checked on Linux by Scripts/check-apple.
#if canImport(Speech) && canImport(AVFoundation)
    internal import AVFoundation
    public import Foundation
    internal import Speech

    /// The platform's recogniser. The app's Info.plist needs `NSSpeechRecognitionUsageDescription` and
    /// `NSMicrophoneUsageDescription`.
    @MainActor
    public final class PlatformSpeechInput: SpeechInput {
        private var engine: AVAudioEngine?
        private var request: SFSpeechAudioBufferRecognitionRequest?
        private var task: SFSpeechRecognitionTask?
        private var onEvent: (@MainActor (SpeechInputEvent) -> Void)?
        /// Counts the starts, so that what an earlier one still reports is not taken for the present one's.
        private var number = 0

        public init() {}

        public func start(locale: Locale, onEvent: @escaping @MainActor (SpeechInputEvent) -> Void) {
            cancel()
            number += 1
            self.onEvent = onEvent
            SFSpeechRecognizer.requestAuthorization { [weak self, number] status in
                Task { @MainActor in
                    guard let self, self.number == number, self.onEvent != nil else { return }
                    if status == .authorized {
                        self.listen(locale)
                    } else {
                        self.end(localized("The app isn’t allowed to use speech recognition."))
                    }
                }
            }
        }

        public func finish() {
            stopAudio()
            task?.finish()
            if task == nil { end(nil) }
        }

        public func cancel() {
            onEvent = nil
            task?.cancel()
            task = nil
            stopAudio()
        }

        private func listen(_ locale: Locale) {
            guard let recognizer = SFSpeechRecognizer(locale: locale), recognizer.isAvailable else {
                return end(localized("Voice input is not available in this language."))
            }
            let request = SFSpeechAudioBufferRecognitionRequest()
            request.shouldReportPartialResults = true
            do { try startAudio(request) } catch {
                return end(localized("The microphone cannot be used: %@", error.localizedDescription))
            }
            self.request = request
            task = recognizer.recognitionTask(with: request) { [weak self, number] result, error in
                let text = result?.bestTranscription.formattedString
                let isLast = result?.isFinal == true || error != nil
                let reason = result == nil ? error?.localizedDescription : nil
                Task { @MainActor in
                    guard let self, self.number == number else { return }
                    if let text { self.onEvent?(.text(text)) }
                    if isLast { self.end(reason) }
                }
            }
        }

        private func startAudio(_ request: SFSpeechAudioBufferRecognitionRequest) throws {
            #if os(iOS)
                let session = AVAudioSession.sharedInstance()
                try session.setCategory(.record, mode: .measurement, options: .duckOthers)
                try session.setActive(true, options: .notifyOthersOnDeactivation)
            #endif
            let engine = AVAudioEngine()
            let node = engine.inputNode
            // The tap is called on an audio thread; the request may be appended to from any.
            nonisolated(unsafe) let request = request
            let append: @Sendable (AVAudioPCMBuffer, AVAudioTime) -> Void = { buffer, _ in request.append(buffer) }
            node.installTap(onBus: 0, bufferSize: 1024, format: node.outputFormat(forBus: 0), block: append)
            engine.prepare()
            do { try engine.start() } catch {
                node.removeTap(onBus: 0)
                throw error
            }
            self.engine = engine
        }

        private func stopAudio() {
            engine?.stop()
            engine?.inputNode.removeTap(onBus: 0)
            engine = nil
            request?.endAudio()
            request = nil
            #if os(iOS)
                try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
            #endif
        }

        private func end(_ reason: String?) {
            let onEvent = onEvent
            cancel()
            onEvent?(.ended(reason: reason))
        }
    }
#endif
