import StreamCore

extension SessionConfiguration {
    /// How the page's session behaves.
    static var page: SessionConfiguration {
        var page = SessionConfiguration()
        // A dead connection is seen after thirteen seconds at most. A browser lets no page send ping frames.
        page.heartbeat = Heartbeat.Configuration(interval: 5, deadline: 8, kind: .message)
        // Somebody who looks at a chart waits three seconds at most for each of the first six attempts.
        page.backoff.patience = Backoff.Patience(attempts: 6, cap: 3)
        // Enough for the price in the tab's title.
        page.hidden = .rate(1)
        return page
    }
}
