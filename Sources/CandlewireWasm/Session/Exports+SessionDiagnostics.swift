import StreamCore

/// What the session has seen and done: twenty numbers, and the last problem's words as the session's text. Times are in
/// the page's clock; NaN stands for what is not known. Valid until the next call with this handle.
///
/// attempts, 1 in the slow retry, messages in, out, bytes in, out, round trip, open since, connections, rotations,
/// recovered, reloaded, gaps, duplicates, skipped, malformed, streams wanted, streams live, the last problem (0 none,
/// 1 closed, 2 refused, 3 timed out, 4 no answer to a ping, 5 told by the server, 6 unreadable message), its code.
@_expose(wasm, "cw_session_diagnostics")
@_cdecl("cw_session_diagnostics")
public func cw_session_diagnostics(_ handle: Int32) -> UnsafeMutablePointer<Double>? {
    session(handle)?.writeDiagnostics()
}

extension PageSession {
    static let diagnosticsCount = 20

    func writeDiagnostics() -> UnsafeMutablePointer<Double> {
        let seen = machine.diagnostics
        diagnostics[0] = Double(seen.attempts)
        diagnostics[1] = seen.isSlowRetry ? 1 : 0
        diagnostics[2] = Double(seen.messagesIn)
        diagnostics[3] = Double(seen.messagesOut)
        diagnostics[4] = Double(seen.bytesIn)
        diagnostics[5] = Double(seen.bytesOut)
        diagnostics[6] = seen.roundTrip ?? .nan
        diagnostics[7] = seen.openSince ?? .nan
        diagnostics[8] = Double(seen.connects)
        diagnostics[9] = Double(seen.rotations)
        diagnostics[10] = Double(seen.recovered)
        diagnostics[11] = Double(seen.reloaded)
        diagnostics[12] = Double(seen.gaps)
        diagnostics[13] = Double(seen.duplicates)
        diagnostics[14] = Double(seen.skipped)
        diagnostics[15] = Double(seen.malformed)
        diagnostics[16] = Double(seen.subscriptions)
        diagnostics[17] = Double(seen.live)
        write(seen.lastProblem)
        return diagnostics
    }

    private func write(_ problem: SessionProblem?) {
        text.fill([])
        diagnostics[19] = 0
        switch problem {
        case nil: diagnostics[18] = 0
        case .closed(let code, let reason):
            diagnostics[18] = 1
            diagnostics[19] = Double(code.rawValue)
            text.fill([UInt8](reason.utf8))
        case .refused(let status):
            diagnostics[18] = 2
            diagnostics[19] = Double(status)
        case .timedOut: diagnostics[18] = 3
        case .heartbeatMissed: diagnostics[18] = 4
        case .server(_, let message):
            diagnostics[18] = 5
            text.fill([UInt8](message.utf8))
        case .malformed(let words):
            diagnostics[18] = 6
            text.fill([UInt8](words.utf8))
        }
    }
}
