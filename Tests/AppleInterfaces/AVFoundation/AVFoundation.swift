// What the package uses of AVFoundation, declared after Apple's documentation, for type-checking only.
public import Foundation

open class AVSpeechSynthesisVoice: NSObject {
    public init?(language languageCode: String?) {}
}

open class AVSpeechUtterance: NSObject {
    public init(string: String) {}
    open var voice: AVSpeechSynthesisVoice?
}

public enum AVSpeechBoundary: Int { case immediate, word }

public protocol AVSpeechSynthesizerDelegate: NSObjectProtocol {
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance)
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance)
}

open class AVSpeechSynthesizer: NSObject {
    public override init() {}
    open weak var delegate: (any AVSpeechSynthesizerDelegate)?
    open var isSpeaking: Bool { false }
    open func speak(_ utterance: AVSpeechUtterance) {}
    @discardableResult open func stopSpeaking(at boundary: AVSpeechBoundary) -> Bool { true }
}

open class AVAudioFormat: NSObject {}
open class AVAudioTime: NSObject {}
open class AVAudioBuffer: NSObject {}
open class AVAudioPCMBuffer: AVAudioBuffer {}

public typealias AVAudioNodeBus = Int
public typealias AVAudioFrameCount = UInt32
public typealias AVAudioNodeTapBlock = (AVAudioPCMBuffer, AVAudioTime) -> Void

open class AVAudioNode: NSObject {
    open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { AVAudioFormat() }
    open func installTap(
        onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?,
        block tapBlock: @escaping AVAudioNodeTapBlock
    ) {}
    open func removeTap(onBus bus: AVAudioNodeBus) {}
}

open class AVAudioInputNode: AVAudioNode {}

open class AVAudioEngine: NSObject {
    public override init() {}
    open var inputNode: AVAudioInputNode { AVAudioInputNode() }
    open func prepare() {}
    open func start() throws {}
    open func stop() {}
}

#if os(iOS)
    open class AVAudioSession: NSObject {
        public struct Category: Sendable {
            public static let record = Category()
        }
        public struct Mode: Sendable {
            public static let measurement = Mode()
        }
        public struct CategoryOptions: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }
            public static let duckOthers = CategoryOptions(rawValue: 2)
        }
        public struct SetActiveOptions: OptionSet, Sendable {
            public let rawValue: UInt
            public init(rawValue: UInt) { self.rawValue = rawValue }
            public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
        }
        open class func sharedInstance() -> AVAudioSession { AVAudioSession() }
        open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {}
        open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}
    }
#endif
