// What the package uses of Speech, declared after Apple's documentation, for type-checking only.
public import AVFoundation
public import Foundation

public enum SFSpeechRecognizerAuthorizationStatus: Int, Sendable {
    case notDetermined, denied, restricted, authorized
}

open class SFTranscription: NSObject {
    open var formattedString: String { "" }
}

open class SFSpeechRecognitionResult: NSObject {
    open var bestTranscription: SFTranscription { SFTranscription() }
    open var isFinal: Bool { false }
}

open class SFSpeechRecognitionRequest: NSObject {
    open var shouldReportPartialResults: Bool = true
    open var requiresOnDeviceRecognition: Bool = false
}

open class SFSpeechAudioBufferRecognitionRequest: SFSpeechRecognitionRequest {
    public override init() {}
    open func append(_ audioPCMBuffer: AVAudioPCMBuffer) {}
    open func endAudio() {}
}

open class SFSpeechRecognitionTask: NSObject {
    open func finish() {}
    open func cancel() {}
}

open class SFSpeechRecognizer: NSObject {
    public convenience init?(locale: Locale) { nil }
    open var isAvailable: Bool { false }
    open class func requestAuthorization(_ handler: @escaping @Sendable (SFSpeechRecognizerAuthorizationStatus) -> Void)
    {}
    open func recognitionTask(
        with request: SFSpeechRecognitionRequest,
        resultHandler: @escaping @Sendable (SFSpeechRecognitionResult?, (any Error)?) -> Void
    ) -> SFSpeechRecognitionTask { SFSpeechRecognitionTask() }
}
