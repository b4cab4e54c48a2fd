import ConversationCore
import StreamCore

/// The conversations by handle. A WebAssembly instance has a single thread.
nonisolated(unsafe) private var conversations = HandleTable<PageConversation>()

private func conversation(_ handle: Int32) -> PageConversation? { conversations[handle] }

/// The names of the inputs in the order of their numbers, each with a comma behind it. They stay there.
nonisolated(unsafe) private let inputNames: UnsafeMutableBufferPointer<UInt8> = {
    var names: [UInt8] = []
    for input in ConversationInput.allCases {
        names.json(input.name)
        names.json(",")
    }
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: names.count)
    _ = memory.initialize(from: names)
    return memory
}()

@_cdecl("cw_conversation_inputs")
public func cw_conversation_inputs() -> UnsafePointer<UInt8>? {
    UnsafePointer(inputNames.baseAddress)
}

@_cdecl("cw_conversation_inputs_length")
public func cw_conversation_inputs_length() -> Int32 {
    Int32(inputNames.count)
}

/// A conversation without a connection. `epoch` is seconds since 1970 UTC when the page's clock shows zero; the seed, two
/// random words, is for ids and jitter.
@_cdecl("cw_conversation_new")
public func cw_conversation_new(_ seedHigh: UInt32, _ seedLow: UInt32, _ epoch: Double) -> Int32 {
    _ = runtimeStarted
    return conversations.insert(PageConversation(epoch: epoch, seed: UInt64(seedHigh) << 32 | UInt64(seedLow)))
}

@_cdecl("cw_conversation_free")
public func cw_conversation_free(_ handle: Int32) {
    conversations.remove(handle)
}

/// Where the page writes up to `capacity` bytes of an input's text. Valid until the next call of this function.
@_cdecl("cw_conversation_inbox")
public func cw_conversation_inbox(_ handle: Int32, _ capacity: Int32) -> UnsafeMutablePointer<UInt8>? {
    conversation(handle)?.inbox.reserve(max(0, Int(capacity)))
}

/// Performs an input, with the first `length` bytes of the inbox as its text; see `ConversationInput`.
///
/// Answers the bytes of the JSON object at `cw_conversation_output`; 0 where there is no such conversation or input.
@_cdecl("cw_conversation_perform")
public func cw_conversation_perform(
    _ handle: Int32, _ input: Int32, _ a: Double, _ b: Double, _ length: Int32, _ now: Double
) -> Int32 {
    guard let conversation = conversation(handle), let input = ConversationInput(rawValue: input), abs(a) < 1e9,
        abs(b) < 1e9
    else { return 0 }
    let count = max(0, min(Int(length), conversation.inbox.capacity))
    let text = UnsafeRawBufferPointer(start: conversation.inbox.base, count: count)
    return Int32(truncatingIfNeeded: conversation.perform(input, a, b, text, now: now))
}

/// Where the answer to the last input is. Valid until the next input.
@_cdecl("cw_conversation_output")
public func cw_conversation_output(_ handle: Int32) -> UnsafeMutablePointer<UInt8>? {
    conversation(handle)?.output.base
}
