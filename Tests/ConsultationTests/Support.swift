import Consultation
import StreamCore

extension String {
    func envelope() throws -> Envelope { try Array(utf8).envelope() }
}

extension [UInt8] {
    func envelope() throws -> Envelope { try withUnsafeBytes { try Envelope.decode($0) } }
    var text: String { String(decoding: self, as: UTF8.self) }
}
