extension ConversationMachine {
    /// The message with an order proposal, by its template's id; `nil` where nobody was told of one.
    public func proposal(_ template: String) -> Transcript.Message? {
        guard let index = transcript.proposal(template), transcript.places[index].beginning < visible else {
            return nil
        }
        return transcript.messages[index]
    }

    /// The user decided about a proposal; every client is told when it is on disk. One that is decided already, or that
    /// there is not, stays as it is.
    public mutating func decide(_ template: String, _ decision: ProposalDecision, now: Double) {
        guard let proposal = proposal(template)?.template, proposal.decision == nil else { return }
        record(.decided(template: template, decision), now: now)
        pump(now: now)
    }
}
