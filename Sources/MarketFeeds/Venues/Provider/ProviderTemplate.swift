/// A text with places for a symbol, a timeframe and the like: a request, an address, a header.
struct ProviderTemplate: Sendable, Equatable {
    enum Place: String, Sendable, CaseIterable {
        case symbol, symbols, timeframe, token, id, limit, from, to
    }

    private enum Piece: Sendable, Equatable {
        case text(String)
        case place(Place)
        /// As a JSON value: `"{symbols}"` becomes an array, `"{id}"` a number.
        case value(Place)
    }

    /// How a value is written, so that it cannot break out of its place.
    enum Form { case json, url, plain }

    /// As it was written: with its places, hence without secrets.
    let text: String
    private let pieces: [Piece]

    /// - Throws: the place that is none.
    init(_ text: String) throws(ProviderTemplateError) {
        self.text = text
        var pieces: [Piece] = []
        var plain = ""
        var rest = text[...]
        while let brace = rest.firstIndex(of: "{") {
            let word = rest[rest.index(after: brace)...].prefix { $0.isASCII && ($0.isLetter || $0 == "_") }
            let end = word.endIndex
            guard !word.isEmpty, end < rest.endIndex, rest[end] == "}" else {
                plain += rest[...brace]
                rest = rest[rest.index(after: brace)...]
                continue
            }
            guard let place = Place(rawValue: String(word)) else { throw ProviderTemplateError(place: String(word)) }
            plain += rest[..<brace]
            rest = rest[rest.index(after: end)...]
            let isValue = (place == .symbols || place == .id) && plain.last == "\"" && rest.first == "\""
            if isValue {
                plain.removeLast()
                rest = rest.dropFirst()
            }
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
            pieces.append(isValue ? .value(place) : .place(place))
        }
        plain += rest
        if !plain.isEmpty { pieces.append(.text(plain)) }
        self.pieces = pieces
    }

    func has(_ place: Place) -> Bool { pieces.contains(.place(place)) || pieces.contains(.value(place)) }

    /// With values in the places.
    func filled(_ form: Form, _ value: (Place) -> [String]) -> String {
        var filled = ""
        for piece in pieces {
            switch piece {
            case .text(let text): filled += text
            case .place(let place): filled += value(place).map { Self.written($0, form) }.joined(separator: ",")
            case .value(.id): filled += value(.id).first ?? "0"
            case .value(let place): filled += "[\(FeedAnswerReader.list(value(place)))]"
            }
        }
        return filled
    }

    private static func written(_ text: String, _ form: Form) -> String {
        switch form {
        case .json: String(FeedAnswerReader.quoted(text).dropFirst().dropLast())
        case .url: percentEncoded(text)
        case .plain: text
        }
    }
}

struct ProviderTemplateError: Error {
    var place: String
}
