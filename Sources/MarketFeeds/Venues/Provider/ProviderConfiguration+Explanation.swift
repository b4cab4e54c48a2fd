import Foundation
import MarketModel
import StreamCore

extension ProviderConfiguration {
    /// What will be requested and read, a line each; places stand for secrets.
    public var explanation: [(name: String, text: String)] {
        var lines = [("address", url.text)]
        if let tokenVariable { lines.append(("token", "from the variable \(tokenVariable) of the environment")) }
        for header in headers { lines.append(("header", "\(header.name): \(header.value.text)")) }
        if !symbols.isEmpty { lines.append(("symbols", symbols.joined(separator: ", "))) }
        if let login { lines.append(("login", login.text)) }
        lines.append(("subscribe", subscribe.text))
        lines.append(("unsubscribe", unsubscribe?.text ?? "none: messages of unwanted symbols are dropped"))
        if let heartbeat, let answer = shape.rule(.heartbeat) {
            lines.append(
                (
                    "heartbeat",
                    "\(heartbeat.text.text) every \(Self.seconds(heartbeat.every)), answered by \(Self.list(answer.types))"
                ))
        } else {
            lines.append(("liveness", "a ping where nothing came for \(Self.seconds(silence))"))
        }
        let batch = shape.batch.map { "at \($0), " } ?? ""
        let type = shape.type.map { "distinguished by \($0)" } ?? "distinguished by their fields"
        lines.append(("messages", "\(batch)\(type), times in \(shape.unit.rawValue)"))
        for rule in shape.rules where rule.meaning != .heartbeat {
            let types = shape.type.map { "\($0) = \(Self.list(rule.types)): " } ?? ""
            lines.append((rule.meaning.rawValue, types + Self.places(rule)))
        }
        if shape.rule(.accepted) == nil {
            lines.append(("accepted", "not sent: a symbol counts as subscribed once requested"))
        }
        if let history {
            lines.append(("history", "\(rest ?? "the stream's host")\(history.path.text)"))
            lines.append(
                ("", "\(history.limit) candles, times in \(history.unit.rawValue): \(Self.places(history.rule))"))
        } else {
            lines.append(("history", "none"))
        }
        return lines
    }

    private static func places(_ rule: ProviderRule) -> String {
        let rows = rule.rows.map { ["rows \($0)"] } ?? []
        return (rows + ProviderField.allCases.compactMap { field in rule.fields[field].map { "\(field.word) \($0)" } })
            .joined(separator: ", ")
    }

    private static func list(_ texts: [String]) -> String { texts.joined(separator: " or ") }

    private static func seconds(_ value: Double) -> String {
        (Int(exactly: value).map(String.init) ?? String(value)) + " s"
    }

    /// What a message would be read as, a line each: for those who write a configuration.
    public func reading(of message: String) -> [String] {
        Array(message.utf8).withUnsafeBytes { bytes in
            var session = VenueSession(self)
            let kind = session.read(bytes)
            var lines: [String] = []
            for trade in session.trades {
                let volume = trade.volume.isEmpty ? "" : ", volume \(trade.volume.read(in: bytes).string)"
                let name = trade.name.isEmpty ? "" : ", id \(trade.name.read(in: bytes).string)"
                let side = trade.side == .unknown ? "" : ", \(trade.side.rawValue)"
                lines.append(
                    "trade of \(session.symbols.names[trade.market]): price \(trade.price.read(in: bytes).string)\(volume), "
                        + "\(RFC3339.shown(trade.tick.timestamp))\(side)\(name)")
            }
            for (word, candles) in [("closed", session.candles), ("running", session.openCandles)] {
                for venueCandle in candles {
                    let candle = venueCandle.candle
                    lines.append(
                        "\(word) candle of \(venueCandle.symbol): \(venueCandle.seconds) s from "
                            + "\(RFC3339.shown(candle.timestamp)), open \(candle.open), high \(candle.high), low \(candle.low), close \(candle.close), volume "
                            + "\(candle.volume)")
                }
            }
            if let type = session.newType { lines.append("left out: its type \"\(type)\" is unknown") }
            for field in ProviderField.allCases where (session.providerCounts?.missing[field] ?? 0) > 0 {
                lines.append("lost: \(field.word) is missing")
            }
            guard lines.isEmpty else { return lines }
            switch kind {
            case .malformed:
                let flaw = VenueFlaw.allCases.first { session.counts.flaws[$0] > 0 }
                return ["lost: \(flaw?.name ?? "malformed")"]
            case .acknowledgement: return ["a request was granted"]
            case .refusal: return ["a request was refused"]
            case .heartbeat: return ["a heartbeat"]
            case .trades, .candles, .quotes, .book, .status, .other: return ["nothing of use"]
            }
        }
    }

    /// The configuration as plain texts and paths, in JSON, for programs that play the provider: `SimulatedProvider` of
    /// VenueSimulation reads it. Without secrets.
    public var outline: [UInt8] {
        let address = url.text.dropFirst(url.text.hasPrefix("wss://") ? 6 : 5).prefix { $0 != "?" }
        let rules = shape.rules.filter { $0.meaning != .heartbeat }
        var outline: [String: Any] = [
            "path": address.firstIndex(of: "/").map { String(address[$0...]) } ?? "/", "subscribe": subscribe.text,
            "unit": shape.unit.rawValue, "timeframe": Int(shape.timeframe.seconds),
            "buy": shape.rule(.tick)?.buy.first ?? "buy", "sell": shape.rule(.tick)?.sell.first ?? "sell",
            "sorts": Dictionary(rules.map { ($0.meaning.rawValue, Self.outline($0)) }, uniquingKeysWith: { $1 }),
            "timeframes": Dictionary(shape.timeframeNames.map { ($1, Int($0.seconds)) }, uniquingKeysWith: { $1 }),
        ]
        outline["unsubscribe"] = unsubscribe?.text
        outline["type"] = shape.type?.steps
        if let heartbeat, let answer = shape.rule(.heartbeat)?.types.first {
            outline["heartbeat"] = ["text": heartbeat.text.text, "type": answer]
        }
        outline["history"] = history.map {
            ["path": $0.path.text, "unit": $0.unit.rawValue, "sort": Self.outline($0.rule)] as [String: Any]
        }
        // Texts and whole numbers only: this cannot fail.
        return (try? JSONSerialization.data(withJSONObject: outline, options: .sortedKeys)).map { [UInt8]($0) } ?? []
    }

    private static func outline(_ rule: ProviderRule) -> [String: Any] {
        var sort: [String: Any] = ["types": rule.types]
        sort["rows"] = rule.rows?.steps
        sort["fields"] = Dictionary(
            uniqueKeysWithValues: rule.fields.map { field, path in
                (field.word, ["path": path.steps, "isFromMessage": path.isFromMessage] as [String: Any])
            })
        return sort
    }

    /// Whether it can be played: messages in an envelope cannot.
    public var canBePlayed: Bool { shape.batch == nil }
}

extension RFC3339 {
    /// A time for people, as far as it is one; to the second.
    fileprivate static func shown(_ seconds: Double) -> String {
        seconds > 0 && seconds < 2e11 ? text(seconds) : "no time (\(seconds))"
    }
}
