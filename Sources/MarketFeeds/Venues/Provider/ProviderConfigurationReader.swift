import MarketModel
import StreamCore
import WebSocketTransport

/// Reads a provider's configuration. A mistake is reported with its line, its key, what is there and what is allowed; an
/// unknown key is a mistake, for it would do nothing.
package struct ProviderConfigurationReader: Sendable {
    static let maxBytes = 1 << 20
    static let maxSymbols = 1000

    private let name: String

    /// - Parameter name: what the configuration is called in sentences, a file's name.
    package init(name: String) { self.name = name }

    /// - Throws: `FeedError` of kind `input`, one sentence.
    package func read(_ bytes: [UInt8]) throws(FeedError) -> ProviderConfiguration {
        // Editors on Windows put a mark before the text.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        let file = ConfigurationText(name: name, bytes: text)
        guard text.count <= Self.maxBytes else {
            throw FeedError(.input, "\(name) has \(text.count) bytes; a configuration has at most \(Self.maxBytes).")
        }
        let root: JSONNode
        do throws(JSONError) { root = try JSONNode(parsing: text) } catch {
            throw file.error(error.offset, "this is not valid JSON: \(error.problem.sentence)")
        }
        return try configuration(root, file)
    }

    private func configuration(
        _ node: JSONNode, _ file: ConfigurationText
    ) throws(FeedError) -> ProviderConfiguration {
        try ProviderSecrets(file: file).check(node)
        var object = try ConfigurationObject(node, file)
        guard let urlNode = object.value("url") else {
            throw file.error(object.offset, "\"url\" is missing; it must be wss://… or ws://…")
        }
        var provider = try address(urlNode, object)
        if let name = object.value("name") { provider.name = try self.name(name, object) }
        provider.title = try object.text("title") ?? provider.name
        try places(&object, &provider)
        try requests(&object, &provider)
        try shape(&object, &provider)
        try history(&object, &provider)
        try object.end()
        try checkToken(provider, file, object.offset)
        return provider
    }

    // MARK: Where it is

    private func address(
        _ node: JSONNode, _ object: ConfigurationObject
    ) throws(FeedError) -> ProviderConfiguration {
        guard case .string(let url) = node.value, url.hasPrefix("ws://") || url.hasPrefix("wss://"),
            url.utf8.allSatisfy({ $0 > 32 && $0 < 127 }),
            let host = url.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first, !host.isEmpty
        else { throw object.error("url", node, "an address that begins with wss:// or ws://") }
        // What opens connections and what requests candles is no more lenient.
        let authority = url.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        guard (try? WebSocketURL(url)) != nil, RESTAddress.isBase(FeedAddress.rest(url)), !authority.contains("{")
        else {
            throw object.error(
                "url", node,
                "an address with a host, perhaps a port, a path and a query, as wss://stream.example.com:443/v1?key={token}"
            )
        }
        do throws(ProviderTemplateError) {
            let provider = try ProviderConfiguration(url: url)
            for place in ProviderTemplate.Place.allCases where place != .token && provider.url.has(place) {
                throw ProviderTemplateError(place: place.rawValue)
            }
            return provider
        } catch {
            throw object.file.error(
                node.offset, "\"url\" has the place {\(error.place.prefix(40))}; allowed is {token}")
        }
    }

    private func name(_ node: JSONNode, _ object: ConfigurationObject) throws(FeedError) -> String {
        let reserved = FeedCatalogue.adapters.map(\.name) + ["sim", "replay", "tracker", "stocks"]
        guard case .string(let name) = node.value, (1...24).contains(name.utf8.count),
            name.allSatisfy({ $0.isLowerSymbol || $0 == "-" })
        else { throw object.error("name", node, "1 to 24 of a-z, 0-9 and -") }
        guard !reserved.contains(name) else {
            throw object.file.error(node.offset, "\"name\" is \"\(name)\", which is another feed's name")
        }
        return name
    }

    private func places(
        _ object: inout ConfigurationObject, _ provider: inout ProviderConfiguration
    ) throws(FeedError) {
        provider.rest = try object.text(
            "rest",
            "an address that begins with https:// or http://, with a host, perhaps a port and a path, and without a "
                + "query", where: RESTAddress.isBase)
        if let node = object.value("token_env") {
            guard case .string(let name) = node.value, let first = name.first, !first.isNumber, name.utf8.count <= 100,
                name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
            else {
                // It may be the token itself: not repeated.
                throw object.file.error(
                    node.offset, "\"token_env\" must be the name of a variable of the environment, as ACME_TOKEN")
            }
            provider.tokenVariable = name
        }
        if let node = object.value("headers") {
            var headers = try ConfigurationObject(node, object.file, prefix: "headers.")
            guard case .object(let members) = node.value else { return }
            for (key, offset, _) in members {
                guard !key.isEmpty, key.utf8.allSatisfy({ $0 > 32 && $0 < 127 && $0 != 0x3A }) else {
                    throw object.file.error(
                        offset, "\"\(key.prefix { $0 != ":" && $0 != " " }.prefix(40))\" is not a header name")
                }
                guard let value = try headers.template(key, places: [.token]) ?? nil else { continue }
                guard value.text.utf8.allSatisfy({ $0 >= 32 && $0 < 127 }) else {
                    throw object.file.error(offset, "the header \"\(key)\" may only have printable characters of ASCII")
                }
                provider.headers.append(.init(name: key, value: value))
            }
        }
        let quote = try object.text("quote", "the name of a currency as USD, 2 to 10 of A-Z and 0-9") {
            (2...10).contains($0.utf8.count) && $0.allSatisfy(\.isUpperSymbol)
        }
        if let quote { provider.quoteCurrency = quote }
        if let node = object.value("symbols") {
            guard case .array(let list) = node.value, !list.isEmpty, list.count <= Self.maxSymbols else {
                throw object.error("symbols", node, "an array of 1 to \(Self.maxSymbols) texts")
            }
            for element in list {
                guard case .string(let symbol) = element.value, ProviderAdapter.isSymbol(symbol) else {
                    throw object.error("symbols", element, ProviderAdapter.symbolRule)
                }
                if !provider.symbols.contains(symbol) { provider.symbols.append(symbol) }
            }
        }
    }

    // MARK: What is known

    private func requests(
        _ object: inout ConfigurationObject, _ provider: inout ProviderConfiguration
    ) throws(FeedError) {
        if let count = try object.number("symbols_per_connection", 1...10_000) {
            provider.symbolsPerConnection = Int(count)
        }
        if let rate = try object.number("requests_per_second", 0.01...1000) { provider.requestsPerSecond = rate }
        if let login = try object.template("login", mayBeNull: true, places: [.token]) { provider.login = login }
        let places: [ProviderTemplate.Place] = [.symbol, .symbols, .timeframe, .token, .id]
        if let subscribe = try object.template("subscribe", places: places) ?? nil { provider.subscribe = subscribe }
        if let unsubscribe = try object.template("unsubscribe", mayBeNull: true, places: places) {
            provider.unsubscribe = unsubscribe
        }
        if let silence = try object.number("silence", 1...86_400) { provider.silence = silence }
        if var heartbeat = try object.object("heartbeat") {
            guard let text = try heartbeat.template("send", places: [.id]) ?? nil else {
                throw object.file.error(
                    heartbeat.offset, "\"heartbeat.send\" is missing: the text or object to be sent")
            }
            provider.heartbeat = .init(text: text, every: try heartbeat.number("every", 1...3600) ?? 15)
            var rule = ProviderRule.usual(.heartbeat)
            if let types = try heartbeat.texts("type") { rule.types = types }
            provider.shape.rules.append(rule)
            try heartbeat.end()
        }
    }

    // MARK: How messages are built

    private func shape(_ object: inout ConfigurationObject, _ provider: inout ProviderConfiguration) throws(FeedError) {
        var shape = provider.shape
        if let unit = try unit("time", &object) { shape.unit = unit }
        if let batch = try object.path("batch", mayBeNull: true) { shape.batch = batch }
        if let type = try object.path("type", mayBeNull: true) { shape.type = type }
        if let names = try object.object("timeframes") { shape.timeframeNames = try timeframes(names) }
        let timeframe = try object.text("timeframe", "one of \(Self.allTimeframes)") { Timeframe(rawValue: $0) != nil }
        shape.timeframe = timeframe.flatMap(Timeframe.init(rawValue:)) ?? shape.timeframe
        guard shape.timeframeNames[shape.timeframe] != nil else {
            throw object.file.error(
                object.offset, "\"timeframe\" is \(shape.timeframe.rawValue), which \"timeframes\" does not have")
        }
        for meaning in [ProviderRule.Meaning.tick, .candle, .snapshot, .accepted, .error] {
            guard let node = object.value(meaning.rawValue) else { continue }
            shape.rules.removeAll { $0.meaning == meaning }
            if case .null = node.value { continue }
            var part = try ConfigurationObject(node, object.file, prefix: "\(meaning.rawValue).")
            let rule = try RuleReader.read(&part, .usual(meaning), isTyped: shape.type != nil)
            if meaning == .tick { shape.numbering = try RuleReader.numbering(&part, rule) }
            try part.end()
            shape.rules.append(rule)
        }
        let rules = shape.rules
        shape.rules = ProviderRule.Meaning.allCases.flatMap { meaning in rules.filter { $0.meaning == meaning } }
        guard shape.rules.contains(where: { [.tick, .candle, .snapshot].contains($0.meaning) }) else {
            throw object.file.error(object.offset, "one of \"tick\", \"candle\" and \"snapshot\" must be there")
        }
        provider.shape = shape
    }

    private func unit(_ key: String, _ object: inout ConfigurationObject) throws(FeedError) -> ProviderTimeUnit? {
        let allowed = "one of " + ProviderTimeUnit.allCases.map(\.rawValue).joined(separator: ", ")
        return try object.text(key, allowed) { ProviderTimeUnit(rawValue: $0) != nil }
            .flatMap(ProviderTimeUnit.init(rawValue:))
    }

    private static let allTimeframes = Timeframe.allCases.map(\.rawValue).joined(separator: ", ")

    private func timeframes(_ object: ConfigurationObject) throws(FeedError) -> [Timeframe: String] {
        var names = object
        var found: [Timeframe: String] = [:]
        for timeframe in Timeframe.allCases {
            if let name = try names.texts(timeframe.rawValue)?.first { found[timeframe] = name }
        }
        try names.end()
        guard !found.isEmpty else {
            throw object.file.error(object.offset, "\"timeframes\" must name at least one of \(Self.allTimeframes)")
        }
        return found
    }

    // MARK: History

    private func history(
        _ object: inout ConfigurationObject, _ provider: inout ProviderConfiguration
    ) throws(FeedError) {
        provider.history?.unit = provider.shape.unit
        guard let node = object.value("history") else { return }
        if case .null = node.value {
            provider.history = nil
            return
        }
        var part = try ConfigurationObject(node, object.file, prefix: "history.")
        var history = ProviderHistoryShape()
        if let path = try part.template("path", places: [.symbol, .timeframe, .limit, .from, .to, .token]) ?? nil {
            guard path.text.hasPrefix("/") else {
                throw part.file.error(part.offset, "\"history.path\" must begin with /")
            }
            history.path = path
        }
        if let limit = try part.number("limit", 1...100_000) { history.limit = Int(limit) }
        if let rate = try part.number("requests_per_second", 0.01...1000) { history.requestsPerSecond = rate }
        history.unit = try unit("time", &part) ?? provider.shape.unit
        history.rule = try RuleReader.read(&part, history.rule, isTyped: false)
        try part.end()
        provider.history = history
    }

    // MARK: Secrets

    private func checkToken(
        _ provider: ProviderConfiguration, _ file: ConfigurationText, _ offset: Int
    ) throws(FeedError) {
        let templates =
            [provider.url, provider.subscribe]
            + [provider.login, provider.unsubscribe, provider.history?.path]
            .compactMap { $0 } + provider.headers.map(\.value)
        let isUsed = templates.contains { $0.has(.token) }
        guard isUsed == (provider.tokenVariable != nil) else {
            throw file.error(
                offset,
                isUsed
                    ? "{token} is used, and \"token_env\" does not say which variable of the environment holds it"
                    : "\"token_env\" is there, and {token} is used nowhere")
        }
    }
}

/// Reads one rule of a configuration: the types of its messages, and where their values are.
enum RuleReader {
    /// Reads the keys of a rule; what is not named is as usual.
    /// - Parameter isTyped: whether a field distinguishes its messages from others.
    static func read(
        _ object: inout ConfigurationObject, _ usual: ProviderRule, isTyped: Bool
    ) throws(FeedError) -> ProviderRule {
        var rule = usual
        if isTyped, let types = try object.texts("type") { rule.types = types }
        let hasRows = usual.meaning == .tick || usual.meaning == .candle || usual.meaning == .snapshot
        if hasRows, let rows = try object.path("rows", mayBeNull: true) { rule.rows = rows }
        let required = ProviderRule.required(usual.meaning)
        let optional = ProviderRule.optional(usual.meaning)
        // The history's rows are of a market and a timeframe that are known.
        for field in required + optional where usual.fields[field] != nil || optional.contains(field) {
            if let path = try object.path(field.word, mayBeNull: optional.contains(field)) { rule.fields[field] = path }
        }
        if usual.meaning == .tick {
            rule.buy = try object.texts("buy") ?? []
            rule.sell = try object.texts("sell") ?? []
        }
        return rule
    }

    /// What the numbers of trades mean, where trades have any.
    static func numbering(
        _ object: inout ConfigurationObject, _ rule: ProviderRule
    ) throws(FeedError) -> Venue.Numbering {
        let node = object.value("numbering")
        guard rule.fields[.id] != nil else {
            if let node { throw object.error("numbering", node, "left out where \"tick.id\" is") }
            return .none
        }
        guard let node else { return .unique }
        switch node.value {
        case .string("unique"): return .unique
        case .string("consecutive"): return .consecutive
        default: throw object.error("numbering", node, "unique, or consecutive where they count up by one")
        }
    }
}
