import ArgumentParser
import WebSocketTransport

/// What a command that connects to `wss://` is told about the server's certificate.
struct TLSOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Trust only the authorities in this PEM file, not the system's.", valueName: "file"))
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "One of these keys must be in the server's chain: sha256/ and the base 64 of its digest; may be repeated.",
            valueName: "pin"))
    var pin: [String] = []

    @Flag(help: "Do not check the server's certificate: anybody on the way can read and change everything.")
    var insecure = false

    func validate() throws {
        if insecure, ca != nil { throw ValidationError("--insecure and --ca exclude each other.") }
    }

    func resolved() throws -> WebSocketTLS {
        let trust: WebSocketTLS.Trust =
            insecure ? .insecureForDevelopment : try ca.map { try .authorities(file: $0) } ?? .system
        return WebSocketTLS(trust: trust, pins: try pin.map { try WebSocketTLS.Pin($0) })
    }
}
