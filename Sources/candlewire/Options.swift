import ArgumentParser
import Foundation
import MarketFeeds
import MarketServices
import TradingCore
import WebSocketTransport

// Options and arguments by a sentence of help and a name for the value.

extension Option where Value: ExpressibleByArgument {
    init(_ help: String, _ valueName: String) { self.init(help: ArgumentHelp(help, valueName: valueName)) }

    init(wrappedValue: Value, _ help: String, _ valueName: String) {
        self.init(wrappedValue: wrappedValue, help: ArgumentHelp(help, valueName: valueName))
    }

    /// A value that may begin with a sign: what is negative is then refused for what it is, and not as another option.
    init(wrappedValue: Value, signed help: String, _ valueName: String? = nil) {
        self.init(wrappedValue: wrappedValue, parsing: .unconditional, help: ArgumentHelp(help, valueName: valueName))
    }
}

extension Option {
    init<T: ExpressibleByArgument>(_ help: String, _ valueName: String) where Value == T? {
        self.init(help: ArgumentHelp(help, valueName: valueName))
    }

    init<T: ExpressibleByArgument>(signed help: String, _ valueName: String? = nil) where Value == T? {
        self.init(parsing: .unconditional, help: ArgumentHelp(help, valueName: valueName))
    }

    /// Repeatable.
    init(
        wrappedValue: [String], _ help: String, _ valueName: String, parsing: ArrayParsingStrategy = .singleValue
    ) where Value == [String] {
        self.init(wrappedValue: wrappedValue, parsing: parsing, help: ArgumentHelp(help, valueName: valueName))
    }

    /// An exact decimal, read as `ExactDecimal.argument` does.
    init(wrappedValue: ExactDecimal, decimal help: String, _ valueName: String) where Value == ExactDecimal {
        self.init(
            wrappedValue: wrappedValue, parsing: .unconditional, help: ArgumentHelp(help, valueName: valueName),
            transform: ExactDecimal.argument)
    }

    /// An exact decimal above 0.
    init(positive help: String, _ valueName: String) where Value == ExactDecimal? {
        self.init(
            parsing: .unconditional, help: ArgumentHelp(help, valueName: valueName),
            transform: ExactDecimal.positiveArgument)
    }
}

extension Argument {
    init(_ help: String, _ valueName: String) where Value: ExpressibleByArgument {
        self.init(help: ArgumentHelp(help, valueName: valueName))
    }

    init<T: ExpressibleByArgument>(_ help: String, _ valueName: String) where Value == T? {
        self.init(help: ArgumentHelp(help, valueName: valueName))
    }
}

/// Exact decimals on the command line: no binary number ever stands for them.
extension ExactDecimal {
    /// Digits, with perhaps a point between.
    static func argument(_ text: String) throws -> ExactDecimal {
        try valid(ExactDecimal(text), "“\(text)” is not a decimal number of at most \(decimals) decimals.")
    }

    /// The same, above 0 and in plain notation.
    static func positiveArgument(_ text: String) throws -> ExactDecimal {
        try valid(isPlain(text), "“\(text)” is not a decimal number above 0, such as 0.05 or 67234.5.")
        return try argument(text)
    }

    fileprivate static func isPlain(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        }
        return areDigits && text.utf8.contains { $0 >= 0x31 && $0 <= 0x39 }
    }
}

extension BracketPrice {
    /// A price, or `none`, which removes the order.
    static func argument(_ text: String) throws -> BracketPrice {
        text == "none" ? .none : .price(try ExactDecimal.positiveArgument(text))
    }
}

extension Trail {
    /// The distance of a trailing stop: an amount of the quote currency, or a percentage of the price.
    static func argument(_ text: String) throws -> Trail {
        let number = text.hasSuffix("%") ? text.dropLast() : text[...]
        let distance = try valid(
            ExactDecimal.isPlain(number) ? ExactDecimal(number) : nil,
            "“\(text)” is not a distance: a number above 0, or one with %, such as 250 or 1%.")
        return text.hasSuffix("%") ? .percent(distance) : .amount(distance)
    }
}

/// How a command that connects to `wss://` checks the server's certificate.
struct TLSOptions: ParsableArguments {
    @Option("Trust only the authorities in this PEM file, not the system's.", "file") var ca: String?

    @Option(
        "One of these keys must be in the server's chain: sha256/ and the base 64 of its digest; may be repeated.",
        "pin")
    var pin: [String] = []

    @Flag(help: "Do not check the server's certificate; others on the network can then read and change everything.")
    var insecure = false

    func validate() throws {
        if insecure, ca != nil { throw ValidationError("--insecure and --ca exclude each other.") }
    }

    func resolved() throws -> WebSocketTLS {
        let trust: WebSocketTLS.Trust =
            insecure ? .insecureForDevelopment : try ca.map { try .authorities(file: $0) } ?? .system
        return WebSocketTLS(trust: trust, pins: try pin.map { try WebSocketTLS.Pin($0) })
    }
}

/// Where the keys of venues come from that need one: a file, else the environment. Never the command line, which others on
/// the machine can read.
struct CredentialsOptions: ParsableArguments {
    @Option(
        """
        Keys of venues that need one: {"intrinio":{"api_key":"..."}}, or "user" and "password", in a file that only \
        you can read. Without it INTRINIO_API_KEY, or INTRINIO_USER and INTRINIO_PASSWORD.
        """, "file")
    var credentials: String?

    /// Those of these names that can be found.
    func found(_ names: [String]) throws -> [String: FeedCredentials] {
        var found = try credentials.map { try FeedCredentials.file($0) } ?? [:]
        let environment = ProcessInfo.processInfo.environment
        for name in names where found[name] == nil {
            found[name] = FeedCredentials.environment(environment, name: name)
        }
        return found
    }

    /// - Throws: `FeedError` with the places where they could be, where there are none.
    func required(_ name: String) throws -> FeedCredentials {
        guard let found = try found([name])[name] else {
            throw FeedError.needsCredentials("The venue \"\(name)\"", name)
        }
        return found
    }
}

/// `HOST:PORT` of a flag.
struct NetworkAddress: CustomStringConvertible {
    let host: String
    let port: Int

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension NetworkAddress {
    /// Reads `HOST:PORT`, `[v6]:PORT` and, where a default host is given, `PORT`.
    init(_ text: String, flag: String, defaultHost: String? = nil) throws {
        let form = defaultHost == nil ? "HOST:PORT" : "[HOST:]PORT"
        let parts = text.lastIndex(of: ":").map { (text[..<$0], text[text.index(after: $0)...]) }
        var host = defaultHost?[...]
        var problem = "\(flag) must be \(form), for example 127.0.0.1:8080; it is \"\(text)\"."
        if let parts {
            host = parts.0.hasPrefix("[") && parts.0.hasSuffix("]") ? parts.0.dropFirst().dropLast() : parts.0
            problem = "\(flag) must be \(form) with a port up to 65535; it is \"\(text)\"."
        }
        guard let host, !host.isEmpty, let port = Int(parts?.1 ?? text[...]), (0...65_535).contains(port) else {
            throw CommandFailure.usage(problem)
        }
        self.init(host: String(host), port: port)
    }
}
