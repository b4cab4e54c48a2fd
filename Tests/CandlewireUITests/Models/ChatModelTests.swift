import CandlewireUI
import Consultation
import Foundation
import MarketServices
import StreamCore
import Synchronization
import TestKit
import Testing

@testable import CandlewireUI

/// A voice input with the events of a test.
@MainActor
final class ScriptedSpeech: SpeechInput, SpeechOutput {
    private(set) var spoken: [String] = []
    private(set) var stops = 0
    private(set) var isListening = false
    private var onEvent: (@MainActor (SpeechInputEvent) -> Void)?

    func start(locale: Locale, onEvent: @escaping @MainActor (SpeechInputEvent) -> Void) {
        isListening = true
        self.onEvent = onEvent
    }

    func report(_ event: SpeechInputEvent) { onEvent?(event) }

    func finish() {
        isListening = false
        report(.ended(reason: nil))
    }

    /// Still reports, as a recogniser on another thread may.
    func cancel() { isListening = false }

    func speak(_ text: String) { spoken.append(text) }
    func stop() { stops += 1 }
}

/// Conversations in memory.
final class ScriptedConversations: ConversationService {
    private let state: Mutex<(all: [Conversation], failures: [ServiceError])>
    private let types: Mutex<Result<[ConversationType], ServiceError>>

    init(_ count: Int, types: Result<[ConversationType], ServiceError> = .success([])) {
        self.types = Mutex(types)
        let all = (0..<count).map { number in
            Conversation(
                id: "\(number)", type: "markets", title: "Talk \(number)", updatedAt: Double(-number), messages: 2)
        }
        state = Mutex((all, []))
    }

    func fail(with failures: ServiceError...) { state.withLock { $0.failures = failures } }

    private func failure() throws(ServiceError) {
        let failure = state.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
        if let failure { throw failure }
    }

    func fetchConversations(
        before: String?
    ) async throws(ServiceError) -> (conversations: [Conversation], more: Bool) {
        try failure()
        let all = state.withLock { $0.all }
        let start = before.flatMap { id in all.firstIndex { $0.id == id } }.map { $0 + 1 } ?? 0
        return (Array(all[start...].prefix(3)), all.count > start + 3)
    }

    func startConversation(type: String) async throws(ServiceError) -> Conversation {
        try failure()
        let new = Conversation(id: "new", type: type, title: type, updatedAt: 1, messages: 0)
        state.withLock { $0.all.insert(new, at: 0) }
        return new
    }

    func answerTypes(_ new: Result<[ConversationType], ServiceError>) { types.withLock { $0 = new } }

    func fetchTypes() async throws(ServiceError) -> [ConversationType] { try types.withLock { $0 }.get() }

    func deleteConversation(_ id: String) async throws(ServiceError) {
        try failure()
        state.withLock { $0.all.removeAll { $0.id == id } }
    }
}

@MainActor
@Suite("Conversations")
struct ChatModelTests {
    let clock = ManualClock()
    let speech = ScriptedSpeech()

    private func chat(_ sentence: String = "Drink **water**.") -> ChatModel {
        let time = ConsultationClock(clock, epoch: 1_732_060_800)
        let transport = SimulatedConsultation(clock: time, sentence: sentence)
        return ChatModel(
            ConsultationSession(transport: transport, clock: time, seed: 7), input: speech, output: speech)
    }

    @Test("A message goes out, its answer streams in, and is spoken once it is whole")
    func speaks() async {
        let model = chat()
        model.appear()
        model.speaksAnswers = true
        model.draft = "  What now?  "
        #expect(model.canSend)
        model.send()
        #expect((model.draft, model.canSend) == ("", false))
        #expect(await wait(clock) { model.answering != nil })
        #expect(speech.spoken.isEmpty)
        #expect(await wait(clock) { model.answering == nil && !speech.spoken.isEmpty })
        #expect(speech.spoken == ["Drink water."])
        #expect(model.rows.map(\.role) == [.user, .assistant])
        #expect(model.rows[0].text == "What now?")
        model.disappear()
    }

    @Test("Nothing is spoken that was not requested")
    func silent() async {
        let model = chat()
        model.appear()
        model.draft = "Hello"
        model.send()
        #expect(await wait(clock) { model.rows.last?.role == .assistant && model.answering == nil })
        model.speaksAnswers = true
        for _ in 0..<100 { await Task.yield() }
        #expect(speech.spoken.isEmpty, "an answer that ended before is not read out")
    }

    @Test("What is spoken follows what was typed, and what is sent ends the input")
    func voice() {
        let model = chat()
        model.draft = "Buy"
        model.toggleVoice()
        #expect(model.isListening && speech.isListening)
        speech.report(.text("a little"))
        speech.report(.text("a little bitcoin"))
        #expect(model.draft == "Buy a little bitcoin")
        model.toggleVoice()
        #expect(!model.isListening && model.problem == nil)
        model.toggleVoice()
        model.send()
        #expect(!model.isListening && !speech.isListening)
        speech.report(.text("too late"))
        #expect(model.draft == "")
    }

    @Test("A voice input that fails says why and keeps the text")
    func voiceFails() {
        let model = chat()
        model.draft = "Buy"
        model.toggleVoice()
        speech.report(.ended(reason: "The app isn’t allowed to use speech recognition."))
        #expect(model.notice == "The app isn’t allowed to use speech recognition.")
        #expect((model.draft, model.isListening) == ("Buy", false))
    }

    @Test("A message that is too long stays in the field, with the reason")
    func tooLong() {
        let model = chat()
        model.draft = String(repeating: "x", count: 6_000)
        model.send()
        #expect(model.problem != nil)
        #expect(model.draft.count == 6_000)
    }

    @Test(
        "Marks of Markdown are not spoken",
        arguments: [
            ("# Plan\n\n- *Eat*\n- `rest`", "Plan\nEat\nrest"), ("Run:\n```\ncode()\n```\nDone.", "Run:\nDone."),
            ("See [the docs](https://example.org).", "See the docs."), ("| a | b |\n|---|---|", "a , b "),
            ("- 5 % off", "5 % off"), ("plain", "plain"), ("", ""),
        ])
    func plainText(markdown: String, text: String) {
        #expect(SpokenText.plain(markdown) == text)
    }

    @Test("Conversations come page by page, each once; they are searched, started and deleted")
    func list() async throws {
        let service = ScriptedConversations(7)
        let list = ConversationListModel(service)
        await list.refresh()
        #expect((list.conversations.count, list.hasMore) == (3, true))
        await list.loadMore()
        await list.loadMore()
        #expect((list.conversations.map(\.id), list.hasMore) == ((0..<7).map(String.init), false))
        list.search = "talk 5"
        #expect(list.shown.map(\.id) == ["5"])
        list.search = "nothing"
        #expect(list.emptyReason == "No conversation matches “nothing”.")
        list.search = ""
        let new = try #require(await list.start(type: "nutrition"))
        #expect(list.conversations.first == new)
        await list.delete(list.conversations[3])
        #expect(list.conversations.map(\.id) == ["new", "0", "1", "3", "4", "5", "6"])
    }

    @Test("A failure is a state where nothing is shown, and a sentence where something is")
    func failures() async {
        let service = ScriptedConversations(2)
        let list = ConversationListModel(service)
        let failure = ServiceError(.unauthorized, message: "Sign in.")
        service.fail(with: failure, failure)
        await list.refresh()
        #expect(list.state == .failed("Sign in."))
        #expect(await list.start(type: "markets") == nil)
        await list.refresh()
        #expect((list.state, list.problem, list.conversations.count) == (.ready, nil, 2))
        service.fail(with: failure, ServiceError(.notFound, message: "Gone."))
        await list.delete(list.conversations[0])
        #expect((list.problem, list.conversations.count) == ("Sign in.", 2))
        await list.delete(list.conversations[0])
        #expect(list.conversations.count == 1, "what is gone already is gone")
    }

    @Test("New conversations are offered by the titles of their types, or by their names where the server sends none")
    func types() async {
        let types = [
            ConversationType(type: "markets", title: "Markets"),
            ConversationType(type: "nutrition", title: "Meals and drinks", isListed: false),
        ]
        let service = ScriptedConversations(1, types: .failure(ServiceError(.network, message: "Later.")))
        let list = ConversationListModel(service)
        #expect(list.offeredTypes().isEmpty)
        await list.refresh()
        #expect((list.problem, list.conversations.count) == ("Later.", 1))
        #expect(list.offeredTypes(["markets", "yoga"]).map(\.title) == ["markets", "yoga"])
        service.answerTypes(.success(types))
        await list.refresh()
        #expect(list.problem == nil)
        #expect(list.offeredTypes().map(\.title) == ["Markets"])
        #expect(list.offeredTypes(["nutrition", "yoga"]).map(\.title) == ["Meals and drinks", "yoga"])
        service.answerTypes(.failure(ServiceError(.network, message: "Later.")))
        await list.refresh()
        #expect((list.problem, list.offeredTypes().count) == (nil, 1), "the titles from before are still right")
    }

    @Test("A template shows all it consists of, bounded in depth and number")
    func template() {
        let details = TemplateDetails(
            Template(
                id: "1", kind: .meal, name: "Day", description: "Vegetarian",
                fields: ["prep_time": 20, "meals": [["dish": "Porridge"], ["dish": "Soup"]], "is_vegan": false]))
        #expect(details.kind == "Meal")
        #expect(
            details.lines.map { "\($0.depth) \($0.name): \($0.value)" } == [
                "0 Is vegan: No", "0 Meals: ", "2 Dish: Porridge", "2 Dish: Soup", "0 Prep time: 20",
            ])
        var deep = JSONValue.string("end")
        for _ in 0..<100 { deep = ["next": deep] }
        let wide = JSONValue.array(Array(repeating: 1, count: 10_000))
        let bounded = TemplateDetails(
            Template(id: "2", kind: .workout, name: "X", fields: ["deep": deep, "wide": wide]))
        #expect(bounded.lines.map(\.depth).max() == TemplateDetails.deepest)
        #expect(bounded.lines.count == TemplateDetails.maxLines)
    }
}
