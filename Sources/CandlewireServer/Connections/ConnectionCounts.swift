/// What became of connections, for `/health` and metrics. All but `open…` count from the start.
struct ConnectionCounts: Sendable, Equatable {
    var accepted = 0
    /// Refused because their address had its share.
    var refusedByAddress = 0
    /// Refused because the server was full, or had no file descriptor left.
    var refusedInAll = 0
    /// Times that no connection could be accepted for want of a file descriptor.
    var outOfDescriptors = 0
    /// Closed because a request's head did not come in time.
    var lateHeads = 0
    /// Closed because a request's body came too slowly.
    var lateBodies = 0
    /// Closed because the client did not read its answer.
    var lateReaders = 0
    /// Closed because of bytes that are no HTTP, or ambiguous.
    var invalid = 0

    /// Open now: of HTTP or not decided yet.
    var openHTTP = 0
    var openWebSockets = 0
}

extension ConnectionCounts: JSONObjectDocument {
    func writeMembers(into sink: inout [UInt8]) {
        sink.fields("http", openHTTP, "websockets", openWebSockets, "accepted", accepted)
        sink.object("refused") { $0.fields("address", refusedByAddress, "total", refusedInAll) }
        sink.field("out_of_descriptors", outOfDescriptors)
        sink.object("closed") { sink in
            sink.fields("late_head", lateHeads, "late_body", lateBodies, "late_reader", lateReaders, "invalid", invalid)
        }
    }
}
