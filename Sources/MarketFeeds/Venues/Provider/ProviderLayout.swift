import StreamCore

/// How a provider's message of one trade was laid out: this text, then a value, then that text.
///
/// A configuration says under which keys values are. From one message of a sort to the next all but the values is usually
/// the same, byte by byte; so a message that was read by its keys once says where the values of the next ones are, and those
/// are read by comparison, as a venue's trades are by theirs. A message that goes on differently is read by its keys. A
/// layout can only save time, never change a result: the type is a part of the texts, and the same keys in the same places
/// lead to the same values.
struct ProviderLayout: Sendable {
    /// What stands between two texts.
    enum Form: UInt8, Sendable {
        /// Its quotes belong to the texts.
        case string
        case number, bool
    }

    struct Step: Sendable {
        /// Bytes of the text before the value.
        var textLength: UInt16
        var form: Form
        var field: ProviderTick.Field
    }

    let steps: [Step]
    /// All texts one after another, the last one behind all values.
    let texts: [UInt8]
    /// The number of the rule that the message was read by.
    let rule: Int

    /// - Returns: `false` where the message is laid out differently, or has a value that is none; `tick` has some of the
    ///   values then.
    static func read(
        _ bytes: UnsafeRawBufferPointer, _ steps: UnsafeBufferPointer<Step>, _ texts: UnsafeRawBufferPointer,
        _ rule: Int, by mapping: ProviderMapping, into tick: inout ProviderTick
    ) -> Bool {
        guard bytes.count >= texts.count, var reader = LayoutReader(bytes) else { return false }
        var at = 0
        for step in steps {
            let length = Int(step.textLength)
            guard reader.take(UnsafeRawBufferPointer(rebasing: texts[at..<at &+ length])),
                take(step, rule, &reader, bytes, mapping, into: &tick)
            else { return false }
            at &+= length
        }
        return reader.take(UnsafeRawBufferPointer(rebasing: texts[at...])) && reader.isAtEnd
    }

    @inline(__always)
    private static func take(
        _ step: Step, _ rule: Int, _ reader: inout LayoutReader, _ bytes: UnsafeRawBufferPointer,
        _ mapping: ProviderMapping, into tick: inout ProviderTick
    ) -> Bool {
        switch step.field {
        case .price, .volume:
            guard step.form != .bool, let value = reader.decimal() else { return false }
            if step.field == .price { tick.price = value } else { tick.volume = value }
            return true
        case .time where mapping.isInSeconds:
            guard step.form != .bool, let value = reader.decimal() else { return false }
            tick.time = value.value
            return true
        case .other, .symbol, .time, .side, .id: break
        }
        let value: VenueText?
        switch step.form {
        case .string: value = reader.stringInside()
        case .number: value = reader.number()
        case .bool: value = reader.boolText()
        }
        guard let value else { return false }
        switch step.field {
        case .other, .price, .volume: break
        case .symbol: tick.symbol = value
        case .time:
            guard let time = mapping.unit.seconds(value.read(in: bytes).raw) else { return false }
            tick.time = time
        case .side: tick.side = mapping.rules[rule].side(value.read(in: bytes))
        case .id:
            tick.name = value
            tick.id = ProviderReader.number(of: value.read(in: bytes).raw)
        }
        return true
    }
}
