/// The layouts that a provider's trades were found to have, tried one after another.
///
/// There is more than one where a key is left out now and then, or several types tell trades. A provider whose keys come in
/// another order each time must not have every message taken apart: once there are four, only each 64th message that fits
/// none replaces one of them.
struct ProviderLayouts: Sendable {
    private static let capacity = 4
    private static let patience = 64

    private var known: [ProviderLayout] = []
    private var oldest = 0
    private var misses = 0

    /// - Returns: `nil` where the message has none of the layouts.
    func read(_ bytes: UnsafeRawBufferPointer, by mapping: ProviderMapping) -> ProviderTick? {
        for index in known.indices {
            if let tick = known[index].read(bytes, by: mapping) { return tick }
        }
        return nil
    }

    /// Takes the layout of a message that had none of the known ones.
    /// - Parameter layout: made only if it is wanted.
    mutating func learn(_ layout: () -> ProviderLayout?) {
        if known.count < Self.capacity {
            if let layout = layout() { known.append(layout) }
            return
        }
        misses = (misses + 1) % Self.patience
        guard misses == 0, let layout = layout() else { return }
        known[oldest] = layout
        oldest = (oldest + 1) % Self.capacity
    }
}
