import ArgumentParser
import CandlewireServer
import Consultation
import Foundation

/// The options of `serve` for consultations.
struct ConsultationServeOptions: ParsableArguments {
    @Flag(help: "No consultations.") var noConsultation = false

    @Option(
        """
        Let a language model answer: the address of a server that offers OpenAI's chat completions, up to and without \
        /chat/completions, as http://127.0.0.1:11434/v1. Without it the built-in guide answers.
        """, "url")
    var consultationUrl: String?

    @Option("The model's name at --consultation-url.", "name") var consultationModel: String?

    @Option(
        "The key that --consultation-url requires, in a file. Without it CANDLEWIRE_MODEL_KEY, where that is set.",
        "file")
    var consultationModelKey: String?

    @Option(
        signed: """
            The most time for one answer of the language model, 1 to 3600. Default: 300. A fifth of it, at least 60, may \
            pass without a word. A model that is slow on this machine needs more, for example 1200.
            """, "seconds")
    var consultationTimeout: Double?

    @Option(
        """
        What consultations may be about, in JSON: titles, system prompts, cards, context, limits. candlewire \
        consultation-types prints an example. Default: markets; nutrition and workout where clients request them.
        """, "file")
    var consultationTypes: String?

    @Option(
        """
        Users and their API keys, one USER:KEY a line: who shows the key (X-API-Key) is that user. With --jwt-key it is the \
        app, and both are required. No right to trade.
        """, "file")
    var consultationKeys: String?

    @Option(
        """
        What JSON Web Tokens are checked with: a public key (PEM), a key set (JWKS), or a shared secret of 32 bytes or \
        more. A token's subject is its user. No right to trade.
        """, "file")
    var jwtKey: String?

    @Option("The issuer (iss) that JSON Web Tokens must have.", "name") var jwtIssuer: String?
    @Option("The audience (aud) that JSON Web Tokens must have.", "name") var jwtAudience: String?

    @Flag(
        help: """
            Accept a token in the address of a consultation's WebSocket too (&token=), where proxies and histories keep it.
            """)
    var allowQueryToken = false

    @Option(signed: "Delete conversations in which nothing happened for this many days; 0: never.", "days")
    var consultationRetention = ConsultationOptions().retentionDays

    var hasLogin: Bool { consultationKeys != nil || jwtKey != nil }

    /// Who answers, for people.
    var assistant: String? {
        if noConsultation { return nil }
        guard let consultationUrl else { return "the built-in guide (no language model)" }
        return "\(consultationModel ?? "") at \(consultationUrl)"
    }

    func options() async throws -> ConsultationOptions {
        var options = ConsultationOptions()
        options.isEnabled = !noConsultation
        options.model = try model()
        if let consultationTypes { options.types = try types(in: consultationTypes) }
        if let consultationTimeout { options.allow(secondsPerAnswer: consultationTimeout) }
        try require(
            (0...36_500).contains(consultationRetention),
            "--consultation-retention must be from 0 to 36500 days; it is \(consultationRetention).")
        options.retentionDays = consultationRetention
        options.allowsQueryToken = allowQueryToken
        if let consultationKeys { options.apiKeys = try APIKeys(file: consultationKeys) }
        try require(
            jwtKey != nil || jwtIssuer == nil && jwtAudience == nil,
            "--jwt-issuer and --jwt-audience need --jwt-key, with which tokens are checked.")
        if let jwtKey {
            var tokens = try await WebTokens(file: jwtKey)
            tokens.issuer = jwtIssuer
            tokens.audience = jwtAudience
            options.webTokens = tokens
        }
        return options
    }

    private func types(in path: String) throws -> ConsultationTypes {
        let flag = "--consultation-types"
        let handle = try require(
            FileHandle(forReadingAtPath: path), "The file \(path) of \(flag) cannot be read.")
        // No more than a configuration may have: the path may be a device that never ends.
        let data = try require(
            try? handle.read(upToCount: ConsultationTypes.maxFileSize + 1) ?? Data(),
            "The file \(path) of \(flag) cannot be read.")
        let text = try require(String(data: data, encoding: .utf8), "The file \(path) of \(flag) is not UTF-8.")
        let types: ConsultationTypes
        do { types = try ConsultationTypes(parsing: text) } catch {
            throw CommandFailure.usage("\(path), line \(error.line): \(error.reason)")
        }
        for (index, type) in types.all.enumerated() {
            guard let model = type.model, model != "guide" else { continue }
            try require(
                consultationUrl != nil,
                "\(path): types[\(index)].model is \"\(model)\", a language model, which needs --consultation-url; without it "
                    + "only \"guide\" is allowed.")
        }
        return types
    }

    private func model() throws -> ConsultationOptions.Model {
        switch (consultationUrl, consultationModel) {
        case (nil, nil):
            try require(consultationModelKey == nil, "--consultation-model-key belongs to --consultation-url.")
            try require(consultationTimeout == nil, "--consultation-timeout belongs to --consultation-url.")
            return .guide
        case (let url?, let name?) where !name.isEmpty:
            let parts = URLComponents(string: url)
            try require(
                parts?.user == nil && parts?.password == nil && parts?.query == nil,
                "--consultation-url must have no user, password or query: a key goes into a file, with "
                    + "--consultation-model-key.")
            try require(
                ["http", "https"].contains(parts?.scheme?.lowercased()) && parts?.host?.isEmpty == false,
                "--consultation-url must be http://HOST[:PORT]/PATH or https://...; it is \"\(url)\".")
            if let seconds = consultationTimeout {
                try require(
                    (1...3600).contains(seconds),
                    "--consultation-timeout must be from 1 to 3600 seconds; it is \(seconds).")
            }
            return .openAICompatible(.init(baseURL: url, model: name, key: try key()))
        default:
            throw CommandFailure.usage(
                "--consultation-url and --consultation-model belong together; give both or none.")
        }
    }

    /// Never from the command line, which others on the machine can read.
    private func key() throws -> OpenAICompatibleModel.Secret? {
        var text = ProcessInfo.processInfo.environment["CANDLEWIRE_MODEL_KEY"]
        if let path = consultationModelKey {
            let data = try require(
                FileManager.default.contents(atPath: path),
                "The file \(path) of --consultation-model-key cannot be read.")
            text = String(decoding: data, as: UTF8.self)
        }
        guard let text = text?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty else { return nil }
        try require(
            text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F },
            "The key for --consultation-url must be one line of letters without spaces.")
        return .init(text)
    }
}

/// `candlewire consultation-types`: the built-in types as a file for `serve --consultation-types`.
struct ConsultationTypesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consultation-types",
        abstract: "Print the built-in consultation types as a configuration.",
        discussion: """
            The first type is the default. templates are the cards that the assistant may
            create: meal, workout, wellness, chart_layout, alert, watchlist, order_proposal.
            context is what it may know: markets, positions, feeds. Optional fields: model
            (the name at --consultation-url, or guide) and limits (message_characters,
            messages, answer_bytes, context_messages).

            EXAMPLES
              candlewire consultation-types > types.json
              candlewire serve --consultation-types types.json
            """)

    func run() { Console.write("\(ConsultationTypes.builtInJSON)\n") }
}
