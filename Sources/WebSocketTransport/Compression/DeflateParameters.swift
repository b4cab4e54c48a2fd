/// The parameters of permessage-deflate as one side wrote them (RFC 7692 section 7.1).
struct DeflateParameters: Equatable, Sendable {
    static let extensionName = "permessage-deflate"

    var serverNoContextTakeover = false
    var clientNoContextTakeover = false
    var serverWindowBits: Int?
    var clientWindowBits: Int?
    /// `client_max_window_bits` without a value: the client can do any. Only in an offer.
    var allowsAnyClientWindow = false

    init() {}

    /// - Returns: nil where it is another extension, a parameter is unknown, comes twice, or its value is not allowed:
    ///   such an offer must be declined, and such an answer fails the connection.
    init?(_ element: WebSocketExtension, isOffer: Bool) {
        guard element.name == Self.extensionName else { return nil }
        var seen: Set<String> = []
        for parameter in element.parameters {
            guard seen.insert(parameter.name).inserted else { return nil }
            switch (parameter.name, parameter.value) {
            case ("server_no_context_takeover", nil): serverNoContextTakeover = true
            case ("client_no_context_takeover", nil): clientNoContextTakeover = true
            case ("server_max_window_bits", let value?):
                guard let bits = Self.windowBits(value) else { return nil }
                serverWindowBits = bits
            case ("client_max_window_bits", let value?):
                guard let bits = Self.windowBits(value) else { return nil }
                clientWindowBits = bits
            case ("client_max_window_bits", nil) where isOffer: allowsAnyClientWindow = true
            default: return nil
            }
        }
    }

    /// 8 to 15 in decimal, without leading zeros.
    private static func windowBits(_ text: String) -> Int? {
        switch text {
        case "8", "9", "10", "11", "12", "13", "14", "15": Int(text)
        default: nil
        }
    }

    /// What stands in the header.
    var headerValue: String {
        var text = Self.extensionName
        if serverNoContextTakeover { text += "; server_no_context_takeover" }
        if clientNoContextTakeover { text += "; client_no_context_takeover" }
        if let serverWindowBits { text += "; server_max_window_bits=\(serverWindowBits)" }
        if let clientWindowBits {
            text += "; client_max_window_bits=\(clientWindowBits)"
        } else if allowsAnyClientWindow {
            text += "; client_max_window_bits"
        }
        return text
    }
}
