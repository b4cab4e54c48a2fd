import StreamCore

/// What both sides of a connection agreed on about compression.
struct DeflateAgreement: Equatable, Sendable {
    var serverNoContextTakeover = false
    var clientNoContextTakeover = false
    var serverWindowBits = 15
    var clientWindowBits = 15

    func noContextTakeover(of role: WebSocketRole) -> Bool {
        role == .server ? serverNoContextTakeover : clientNoContextTakeover
    }

    func windowBits(of role: WebSocketRole) -> Int { role == .server ? serverWindowBits : clientWindowBits }
}

extension WebSocketCompression {
    /// What a client offers.
    var offer: DeflateParameters {
        var offer = DeflateParameters()
        offer.serverNoContextTakeover = peerNoContextTakeover
        offer.clientNoContextTakeover = noContextTakeover
        if peerWindowBits < 15 { offer.serverWindowBits = peerWindowBits }
        // Ours may be made smaller by the server as it likes.
        offer.allowsAnyClientWindow = true
        return offer
    }

    /// The server's side of the negotiation (RFC 7692 section 5.1): the first acceptable offer, and what to
    /// answer; nil where there is none, and nothing is compressed.
    func accept(_ offers: [WebSocketExtension]) -> (agreement: DeflateAgreement, answer: DeflateParameters)? {
        for element in offers {
            guard let offer = DeflateParameters(element, isOffer: true) else { continue }
            var answer = DeflateParameters()
            answer.serverNoContextTakeover = offer.serverNoContextTakeover || noContextTakeover
            answer.clientNoContextTakeover = offer.clientNoContextTakeover || peerNoContextTakeover
            let serverWindowBits = min(offer.serverWindowBits ?? 15, windowBits)
            // Also without a request: the client then keeps a smaller window for us.
            if offer.serverWindowBits != nil || serverWindowBits < 15 { answer.serverWindowBits = serverWindowBits }
            if offer.allowsAnyClientWindow || offer.clientWindowBits != nil {
                let bits = min(offer.clientWindowBits ?? 15, peerWindowBits)
                if bits < 15 || offer.clientWindowBits != nil { answer.clientWindowBits = bits }
            }
            return (DeflateAgreement(answer), answer)
        }
        return nil
    }

    enum Verdict: Equatable, Sendable {
        case agreed(DeflateAgreement)
        /// The server does not compress.
        case declined
        /// An answer that does not belong to our offer: the connection must fail.
        case invalid
    }

    /// The client's side: what the server made of `offer` (RFC 7692 section 5.1 and 7.1).
    func judge(_ answers: [WebSocketExtension]) -> Verdict {
        guard let element = answers.first else { return .declined }
        guard answers.count == 1, let answer = DeflateParameters(element, isOffer: false) else { return .invalid }
        if peerNoContextTakeover, !answer.serverNoContextTakeover { return .invalid }
        if peerWindowBits < 15 {
            guard let bits = answer.serverWindowBits, bits <= peerWindowBits else { return .invalid }
        }
        var agreement = DeflateAgreement(answer)
        // We announced it, whether the server repeats it or not.
        if noContextTakeover { agreement.clientNoContextTakeover = true }
        return .agreed(agreement)
    }
}

extension DeflateAgreement {
    fileprivate init(_ answer: DeflateParameters) {
        serverNoContextTakeover = answer.serverNoContextTakeover
        clientNoContextTakeover = answer.clientNoContextTakeover
        serverWindowBits = answer.serverWindowBits ?? 15
        clientWindowBits = answer.clientWindowBits ?? 15
    }
}

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
