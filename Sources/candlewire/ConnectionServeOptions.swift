import ArgumentParser
import CandlewireServer

/// The options of `serve` for connections: how many, how slow, through which proxies, and how long after the end.
struct ConnectionServeOptions: ParsableArguments {
    @Option("Maximum number of WebSockets; further ones get 503.", "count")
    var maxConnections = ServerLimits().connections

    @Option("Maximum number of WebSockets per address, except this machine's; further ones get 429.", "count")
    var maxConnectionsPerAddress = ServerLimits().connectionsPerAddress

    @Option(
        """
        Maximum number of connections that are no WebSockets; further ones get answers about health alone, and else 503.
        """, "count")
    var maxHttpConnections = ServerLimits().httpConnections

    @Option("The same per address, except this machine's; further ones get 429, then none.", "count")
    var maxHttpConnectionsPerAddress = ServerLimits().httpConnectionsPerAddress

    @Option(
        """
        Maximum messages per second of a client (burst: ten times as many); beyond that it is closed with 4009.
        """, "count")
    var maxClientMessages = ServerLimits().messagesPerSecond

    @Option("Seconds from a connection to its first request, TLS included; then it gets 408.", "seconds")
    var headerTimeout = ServerLimits().handshakeTime

    @Option("Seconds that a connection may lie idle between two requests; then it is closed.", "seconds")
    var idleTimeout = ServerLimits().idleTime

    @Option("Seconds from a request's head to the end of its body; then it gets 408.", "seconds")
    var bodyTimeout = ServerLimits().bodyTime

    @Option("Seconds that a client may take to read an answer; then it is cut off.", "seconds")
    var responseTimeout = ServerLimits().answerTime

    @Option(
        "Bytes a second, over ten seconds, below which a body is too slow, and a client that reads an answer. 0: no bound.",
        "bytes")
    var minTransferRate = ServerLimits().transferRate

    @Option(
        """
        Addresses of a proxy in front of the server, whose word about its clients is believed: 10.0.0.0/8, ::1. Repeatable.
        """, "cidr")
    var trustedProxy: [String] = []

    @Option("The header in which a trusted proxy names its client; the other one is not read.", "name")
    var forwardedHeader = TrustedProxies.Header.xForwardedFor

    @Flag(help: "Connections of trusted proxies begin with a PROXY header, version 2.") var proxyProtocol = false

    @Option(
        """
        Seconds that a server which was told to stop goes on, while /health says closing: for a load balancer to notice.
        """, "seconds")
    var drainDelay = 0.0

    @Option("Seconds that clients then have to end what they began; what is left is cut off.", "seconds")
    var shutdownTimeout = 10.0

    func apply(to configuration: inout ServerConfiguration) throws {
        try require(
            maxConnections > 0 && maxConnectionsPerAddress > 0 && maxClientMessages > 0 && maxClientMessages.isFinite,
            "--max-connections, --max-connections-per-address and --max-client-messages must be over 0.")
        try require(
            maxHttpConnections > 0 && maxHttpConnectionsPerAddress > 0,
            "--max-http-connections and --max-http-connections-per-address must be over 0.")
        for (name, seconds) in [
            ("--header-timeout", headerTimeout), ("--idle-timeout", idleTimeout), ("--body-timeout", bodyTimeout),
            ("--response-timeout", responseTimeout), ("--shutdown-timeout", shutdownTimeout),
        ] {
            try require(
                (0.1...86_400).contains(seconds), "\(name) must be from 0.1 to 86400 seconds; it is \(seconds).")
        }
        try require(
            (0...3600).contains(drainDelay), "--drain-delay must be from 0 to 3600 seconds; it is \(drainDelay).")
        try require(
            (0...1e9).contains(minTransferRate),
            "--min-transfer-rate must be from 0 to 1000000000 bytes a second; it is \(minTransferRate).")
        for range in trustedProxy {
            try require(
                configuration.proxies.add(range),
                "--trusted-proxy must be an address or a range as 10.0.0.0/8, whose bits behind the prefix are 0; it is "
                    + "\"\(range)\".")
        }
        try require(
            !proxyProtocol || !trustedProxy.isEmpty,
            "--proxy-protocol needs --trusted-proxy: only those may say who their clients are.")
        configuration.proxies.header = forwardedHeader
        configuration.proxies.sendProxyHeader = proxyProtocol
        configuration.limits.connections = maxConnections
        configuration.limits.connectionsPerAddress = maxConnectionsPerAddress
        configuration.limits.messagesPerSecond = maxClientMessages
        configuration.limits.httpConnections = maxHttpConnections
        configuration.limits.httpConnectionsPerAddress = maxHttpConnectionsPerAddress
        configuration.limits.handshakeTime = headerTimeout
        configuration.limits.idleTime = idleTimeout
        configuration.limits.bodyTime = bodyTimeout
        configuration.limits.answerTime = responseTimeout
        configuration.limits.transferRate = minTransferRate
        configuration.drainDelay = drainDelay
        configuration.shutdownTimeout = shutdownTimeout
    }
}

extension TrustedProxies.Header: WordArgument {}
