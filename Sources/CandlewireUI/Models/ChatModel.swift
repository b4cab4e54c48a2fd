public import Consultation
public import Foundation
public import Observation
internal import StreamCore

/// A conversation on screen: its messages, the text that is being written, voice, and what can be done.
@MainActor
@Observable
public final class ChatModel {
    public let session: ConsultationSession
    /// What is being written.
    public var draft = ""
    /// Why the last message was not sent, or the voice input failed.
    public var problem: String?
    public private(set) var isListening = false
    /// Answers are spoken as they end.
    public var speaksAnswers = false {
        didSet {
            // What ended before is not read out.
            streaming = Set(session.messages.lazy.filter(\.isStreaming).map(\.id))
            if !speaksAnswers { output?.stop() }
        }
    }
    public var hasVoiceInput: Bool { input != nil }
    public var hasVoiceOutput: Bool { output != nil }

    private let details: @MainActor () -> MessageDetails
    private let formats: Formats
    private let input: (any SpeechInput)?
    private let output: (any SpeechOutput)?
    /// The text before what is being spoken.
    @ObservationIgnored private var draftBefore = ""
    /// The answers that were not complete when they were seen last.
    @ObservationIgnored private var streaming: Set<String> = []

    /// - Parameters:
    ///   - input: turns speech into text; `nil`: there is none.
    ///   - output: speaks answers; `nil`: there is none.
    ///   - details: what is on the screen when a message is sent.
    public init(
        _ session: ConsultationSession, input: (any SpeechInput)? = nil, output: (any SpeechOutput)? = nil,
        formats: Formats = Formats(), details: @escaping @MainActor () -> MessageDetails = { MessageDetails() }
    ) {
        self.session = session
        self.input = input
        self.output = output
        self.formats = formats
        self.details = details
    }

    // MARK: The life of the view

    public func appear() {
        session.connect()
        watchAnswers()
    }

    public func disappear() {
        dropVoice()
        output?.stop()
        session.disconnect()
    }

    // MARK: What is shown

    public var rows: [ChatRow] { session.messages.filter { !$0.isSuperseded }.map { ChatRow($0, formats) } }

    /// What is wrong with the connection, or what failed last; `nil` where nothing is.
    public var notice: String? {
        session.needsLogin ? localized("Sign in to go on.") : problem ?? session.connectionError
    }

    public var canReconnect: Bool { session.connectionError != nil && !session.needsLogin }
    public var canSend: Bool { !draft.allSatisfy(\.isWhitespace) }

    /// The id of the answer that is being written.
    public var answering: String? { session.messages.last { $0.isStreaming }?.id }

    // MARK: What the user does

    public func send() {
        guard canSend else { return }
        dropVoice()
        do throws(ConsultationSendError) {
            try session.send(draft.trimmingCharacters(in: .whitespacesAndNewlines), details())
            (draft, problem) = ("", nil)
        } catch {
            problem = "\(error)"
        }
    }

    public func stopAnswer() {
        if let answering { session.cancel(answering) }
    }

    public func retry(_ row: ChatRow) { session.retry(row.id) }
    public func reconnect() { session.reconnect() }

    /// Starts the voice input, or ends it and keeps what was spoken.
    public func toggleVoice(locale: Locale = .autoupdatingCurrent) {
        guard let input else { return }
        if isListening {
            input.finish()
            return
        }
        output?.stop()
        draftBefore = draft.trimmingCharacters(in: .whitespacesAndNewlines)
        isListening = true
        problem = nil
        input.start(locale: locale) { [weak self] event in self?.voice(event) }
    }

    private func voice(_ event: SpeechInputEvent) {
        guard isListening else { return }
        switch event {
        case .text(let spoken):
            draft = [draftBefore, spoken].filter { !$0.isEmpty }.joined(separator: " ")
        case .ended(let reason):
            isListening = false
            problem = reason
        }
    }

    /// What is still being spoken is not wanted any more.
    private func dropVoice() {
        guard isListening else { return }
        isListening = false
        input?.cancel()
    }

    // MARK: Spoken answers

    /// Looks at the messages whenever they change.
    private func watchAnswers() {
        let messages = withObservationTracking {
            session.messages
        } onChange: { [weak self] in
            Task { @MainActor in self?.watchAnswers() }
        }
        let ended = messages.filter { streaming.contains($0.id) && $0.state == .complete }
        streaming = Set(messages.lazy.filter(\.isStreaming).map(\.id))
        guard speaksAnswers, !isListening else { return }
        for message in ended { output?.speak(SpokenText.plain(message.text)) }
    }
}

/// A message as a chat shows it.
public struct ChatRow: Sendable, Hashable, Identifiable {
    public enum Action: Sendable, Hashable { case resend, repeatAnswer }

    public let id: String
    public let role: Role
    public let text: String
    /// What became of it, where that is not plain: `Not sent`, `Stopped`.
    public let note: String?
    public let action: Action?
    public let template: Template?
    public let isStreaming: Bool
    public let time: String

    init(_ message: ChatMessage, _ formats: Formats) {
        id = message.id
        role = message.role
        text = message.text
        template = message.template
        isStreaming = message.isStreaming
        time = formats.time(message.timestamp)
        let isUser = message.role == .user
        switch message.state {
        case .pending: (note, action) = (localized("Sending…"), nil)
        case .sent, .complete, .streaming: (note, action) = (nil, nil)
        case .cancelled: (note, action) = (localized("Stopped"), nil)
        case .interrupted: (note, action) = (localized("Interrupted"), .repeatAnswer)
        case .failed(let reason): (note, action) = (reason, isUser ? .resend : .repeatAnswer)
        }
    }

    /// Who said it, for a screen reader.
    public var speaker: String {
        switch role {
        case .user: localized("You")
        case .assistant: localized("Assistant")
        case .system: localized("Note")
        }
    }
}
