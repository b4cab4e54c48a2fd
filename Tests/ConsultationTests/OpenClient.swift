import Consultation
import StreamCore

/// A client that is connected, and receives what a test sends.
struct OpenClient {
    var client = ConsultationClient(ConsultationConfiguration(), epoch: 0, seed: 1)
    private var socket: SocketNumber?

    init() {
        client.connect(now: 0)
        while let action = client.nextAction() {
            if case .open(let opened) = action { socket = opened }
        }
        if let socket { client.opened(socket, now: 0) }
    }

    mutating func receive(_ frame: [UInt8]) {
        guard let socket else { return }
        frame.withUnsafeBytes { client.received($0, on: socket, now: 1) }
        while client.nextAction() != nil {}
    }

    mutating func receive(
        _ type: EnvelopeType, _ id: String, content: String? = nil, metadata: [String: JSONValue]? = nil,
        sequence: Int? = nil, offset: Int? = nil
    ) {
        receive(
            Envelope(
                type, content: content, messageID: id, timestamp: 0, metadata: metadata, sequence: sequence,
                offset: offset
            ).bytes)
    }
}
