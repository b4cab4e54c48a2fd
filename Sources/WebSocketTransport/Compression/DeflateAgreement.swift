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

    func windowBits(of role: WebSocketRole) -> Int {
        role == .server ? serverWindowBits : clientWindowBits
    }
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

    /// The server's side of the negotiation (RFC 7692 section 5.1): the first offer that can be taken, and what to
    /// answer; nil where there is none, and nothing is compressed.
    func accept(_ offers: [WebSocketExtension]) -> (agreement: DeflateAgreement, answer: DeflateParameters)? {
        for element in offers {
            guard let offer = DeflateParameters(element, isOffer: true) else { continue }
            var answer = DeflateParameters()
            answer.serverNoContextTakeover = offer.serverNoContextTakeover || noContextTakeover
            answer.clientNoContextTakeover = offer.clientNoContextTakeover || peerNoContextTakeover
            let serverWindowBits = min(offer.serverWindowBits ?? 15, windowBits)
            // Also without being asked: the client then keeps a smaller window for us.
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
