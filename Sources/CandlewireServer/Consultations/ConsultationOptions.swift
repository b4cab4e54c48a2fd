public import Consultation

/// What `ServerConfiguration` says about consultations.
public struct ConsultationOptions: Sendable {
    /// Who answers.
    public enum Model: Sendable {
        /// The built-in guide, which needs nothing.
        case guide
        /// A server with OpenAI's chat completions.
        case openAICompatible(OpenAICompatibleModel.Configuration)
        /// One of the program that embeds this server.
        case custom(any LanguageModel)
    }

    /// Whether there are consultations at all.
    public var isEnabled = true
    public var model = Model.guide
    /// What consultations may be about.
    public var types = ConsultationTypes.builtIn
    /// Conversations in which nothing happened for this many days are deleted; 0: none ever.
    public var retentionDays = 90.0
    /// Conversations of one user; more are refused until some are deleted.
    public var conversationsPerUser = 1_000
    /// Answers that may be under way for one user at once; more fail with a sentence that says so.
    public var answersPerUser = 10
    /// How many users' conversations, answers and readings all of them together may have where users are not distinguished:
    /// without a login, or with the stream's tokens alone, a client may use a new name each time.
    public var usersPerLogin = 100
    /// Lists, consultations and pages of messages that one user may read over HTTP: a second in the long run, and at once.
    public var readsPerSecond = 100.0
    public var readBurst = 1_000.0
    /// Exports of one user: a minute in the long run, and at once.
    public var exportsPerMinute = 20.0
    public var exportBurst = 20.0
    /// What one conversation may cost; the longest message is here.
    public var conversation = ConversationSettings()
    /// Keys that say who their bearers are.
    public var apiKeys: APIKeys?
    /// What JSON Web Tokens are checked with.
    public var webTokens: WebTokens?
    /// Whether a token may stand in a WebSocket's address (`&token=`), where proxies and histories keep it: for clients
    /// that cannot do it otherwise.
    public var allowsQueryToken = false
    /// Seconds after which a conversation without clients leaves the memory; it stays on disk.
    public var idleTime = 60.0

    public init() {}

    /// Gives the language model this many seconds for a whole answer. A slow one is also slow to begin: a fifth of them may
    /// pass in silence, and never fewer than without this.
    public mutating func allow(secondsPerAnswer seconds: Double) {
        guard case .openAICompatible(var configuration) = model else { return }
        configuration.timeout = seconds
        model = .openAICompatible(configuration)
        conversation.silence = max(ConversationSettings().silence, seconds / 5)
    }

    func settings(ofType kind: String) -> ConversationSettings { types[kind].settings(conversation) }

    /// The limit of all users together where `ofOne` is one user's.
    func all(_ ofOne: Int) -> Int {
        let product = max(1, usersPerLogin).multipliedReportingOverflow(by: ofOne)
        return product.overflow ? .max : product.partialValue
    }
}
