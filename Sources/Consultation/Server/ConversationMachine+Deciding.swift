extension ConversationMachine {
    /// An order proposal, by its template's id; `nil` where there is none.
    public func proposal(_ template: String) -> Template? {
        transcript.proposal(template).flatMap { transcript.messages[$0].template }
    }

    /// The user decided about a proposal; every client is told when it is on disk. One that is decided already, or that
    /// there is not, stays as it is.
    public mutating func decide(_ template: String, _ decision: ProposalDecision, now: Double) {
        guard let proposal = proposal(template), proposal.decision == nil else { return }
        record(.decided(template: template, decision), now: now)
        pump(now: now)
    }
}
