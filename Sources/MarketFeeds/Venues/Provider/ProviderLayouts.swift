/// The layouts that a provider's trades were found to have, tried one after another.
///
/// There is more than one where a key is left out now and then, or several types tell trades. A provider whose keys come in
/// another order each time must not have every message taken apart: once there are four, only each 64th message that fits
/// none replaces one of them.
struct ProviderLayouts: Sendable {
    private static let capacity = 4
    private static let patience = 64

    private var known: [ProviderLayout] = []
    /// Where one of them is in the steps and texts of all: to read from an array of its own would be to count references.
    private struct Place {
        var steps: Range<Int>
        var texts: Range<Int>
        var rule: Int
    }

    private var places: [Place] = []
    private var steps: [ProviderLayout.Step] = []
    private var texts: [UInt8] = []
    private var oldest = 0
    private var misses = 0

    /// - Parameter tick: an empty one; not to be used where the message has none of the layouts.
    /// - Returns: whether it has one.
    func read(_ bytes: UnsafeRawBufferPointer, by mapping: ProviderMapping, into tick: inout ProviderTick) -> Bool {
        steps.withUnsafeBufferPointer { steps in
            texts.withUnsafeBytes { texts in
                for index in places.indices {
                    let place = places[index]
                    if ProviderLayout.read(
                        bytes, UnsafeBufferPointer(rebasing: steps[place.steps]),
                        UnsafeRawBufferPointer(rebasing: texts[place.texts]), place.rule, by: mapping, into: &tick)
                    {
                        return true
                    }
                    // Another layout may have fewer values.
                    tick = ProviderTick()
                }
                return false
            }
        }
    }

    /// Takes the layout of a message that had none of the known ones.
    /// - Parameter layout: made only if it is wanted.
    mutating func learn(_ layout: () -> ProviderLayout?) {
        if known.count < Self.capacity {
            if let layout = layout() {
                known.append(layout)
                settle()
            }
            return
        }
        misses = (misses + 1) % Self.patience
        guard misses == 0, let layout = layout() else { return }
        known[oldest] = layout
        oldest = (oldest + 1) % Self.capacity
        settle()
    }

    private mutating func settle() {
        (places, steps, texts) = ([], [], [])
        for layout in known {
            let (firstStep, firstText) = (steps.count, texts.count)
            steps += layout.steps
            texts += layout.texts
            places.append(
                Place(steps: firstStep..<steps.count, texts: firstText..<texts.count, rule: layout.rule))
        }
    }
}
