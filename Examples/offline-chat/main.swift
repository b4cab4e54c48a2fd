// A chat that is there without a connection, and sends later what was written meanwhile.
//
//     swift run example-offline-chat FILE 127.0.0.1:8080 CONSULTATION [MESSAGE]
//
// Without a server the message waits in the file. Start `candlewire serve` and run it again without the message: it is
// sent, once.

import Consultation
import ConsultationSQLite

let arguments = CommandLine.arguments
guard arguments.count >= 4 else {
    fatalError("usage: example-offline-chat FILE HOST:PORT CONSULTATION [MESSAGE]")
}
let device = try DeviceConversations(path: arguments[1])
let transport = WebSocketConsultationTransport(
    url: "ws://\(arguments[2])/ws/consultation?consultation_id=\(arguments[3])")
let session = ConsultationSession(transport: transport, storage: device.storage(for: arguments[3]))
if let problem = session.storageError { print("not kept on the device: \(problem)") }

// What an earlier run left is there before the connection is.
print("\(session.messages.count) messages on the device")
session.connect()
if arguments.count > 4 { try session.send(arguments[4]) }

// A view would observe the session. This waits for the end of the answer, five seconds at most.
let end = ContinuousClock.now + .seconds(5)
while session.messages.last?.state != .complete, ContinuousClock.now < end {
    try await Task.sleep(for: .milliseconds(50))
}
for message in session.messages {
    print("\(message.role.rawValue): \(message.text)\(message.state == .pending ? " (waiting)" : "")")
}
session.disconnect()
try device.close()
