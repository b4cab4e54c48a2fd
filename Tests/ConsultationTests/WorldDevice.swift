import Consultation
import StreamCore
import Testing

@testable import ConsultationSQLite

/// A tab's device: a file, and the process that writes it, which may be killed at any write.
struct WorldDevice {
    static let conversation = "c"
    let path: String
    var file: DeviceConversations
    var keeper: ConversationKeeper
    var killChance: Double
    var kills = 0
    var seed: UInt64

    init(path: String, killChance: Double, seed: UInt64) throws {
        self.path = path
        self.killChance = killChance
        self.seed = seed
        file = try DeviceConversations(path: path)
        keeper = ConversationKeeper()
    }

    /// What the file has, read anew.
    func stored() throws -> StoredConversation? {
        guard let (head, messages) = try DeviceConversations(path: path).load(Self.conversation) else { return nil }
        return try StoredConversation(head: head, messages: messages)
    }
}

extension ConsultationWorld.Tab {
    mutating func write(_ text: String, _ details: MessageDetails, now: Double) throws(ConsultationSendError) {
        if device == nil {
            try client.send(text, details, now: now)
        } else {
            _ = try client.queue(text, details, characters: text.count, now: now)
        }
    }
}

extension ConsultationWorld {
    /// What `ConsultationSession` does after each input, and perhaps the end of the process before anything is sent.
    mutating func keep(_ tab: Int) {
        guard var device = tabs[tab].device else { return }
        device.keeper.sendWaiting(&tabs[tab].client, now: now)
        let change = device.keeper.change(tabs[tab].client, now: now)
        if let change {
            do { try device.file.save(change, of: WorldDevice.conversation) } catch { Issue.record("\(error)") }
            device.keeper.written(now: now)
        }
        tabs[tab].device = device
        if change != nil, chance(device.killChance, &random) { kill(tab) }
    }

    /// The process ends without a word, and another one opens the file.
    mutating func kill(_ tab: Int) {
        guard var device = tabs[tab].device else { return }
        if let line = tabs[tab].line { server.detach(line.client, now: Self.epoch + now) }
        tabs[tab].line = nil
        tabs[tab].opening = nil
        device.kills += 1
        device.seed &+= 1
        tabs[tab].client = ConsultationClient(tabs[tab].client.configuration, epoch: Self.epoch, seed: device.seed)
        do {
            let stored = try device.stored()
            device.file = try DeviceConversations(path: device.path)
            device.keeper = ConversationKeeper(stored)
            if let stored { tabs[tab].client.restore(stored) }
        } catch {
            Issue.record("\(error)")
        }
        tabs[tab].device = device
        tabs[tab].client.connect(now: now)
    }
}
