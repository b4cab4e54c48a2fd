/// Values by numbers that count up from 1, as those of orders do: a hash table in which a number is its own hash.
///
/// Numbers in a row never meet in it, and nothing has to be computed to find one. What was removed leaves no gap behind.
struct NumberedTable<Value: Sendable>: Sendable {
    /// 0 where nothing is. As many as ``values``, a power of two, at most half of them used.
    private var numbers: [Int] = []
    private var values: [Value?] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }
    /// Ascending.
    var sortedNumbers: [Int] { numbers.filter { $0 != 0 }.sorted() }

    /// - Complexity: O(1).
    subscript(number: Int) -> Value? {
        get { place(of: number).flatMap { values[$0] } }
        set {
            if let newValue {
                insert(newValue, at: number)
            } else if let place = place(of: number) {
                remove(at: place)
            }
        }
    }

    /// Where a number is.
    @inline(__always)
    private func place(of number: Int) -> Int? {
        if count == 0 || number == 0 { return nil }
        let mask = numbers.count - 1
        var place = number & mask
        while numbers[place] != number {
            if numbers[place] == 0 { return nil }
            place = (place + 1) & mask
        }
        return place
    }

    private mutating func insert(_ value: Value, at number: Int) {
        if number == 0 { return }
        if 2 * (count + 1) > numbers.count { grow() }
        let mask = numbers.count - 1
        var place = number & mask
        while numbers[place] != number, numbers[place] != 0 { place = (place + 1) & mask }
        if numbers[place] == 0 { count += 1 }
        numbers[place] = number
        values[place] = value
    }

    /// Closes the gap with those that are behind the place that is theirs.
    private mutating func remove(at place: Int) {
        let mask = numbers.count - 1
        var (gap, next) = (place, (place + 1) & mask)
        while numbers[next] != 0 {
            let home = numbers[next] & mask
            // How far it is from its home to here, and how far it would be to the gap.
            if (next - home) & mask >= (next - gap) & mask {
                numbers[gap] = numbers[next]
                values[gap] = values[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        numbers[gap] = 0
        values[gap] = nil
        count -= 1
    }

    private mutating func grow() {
        let (oldNumbers, oldValues) = (numbers, values)
        let size = max(16, 2 * numbers.count)
        numbers = [Int](repeating: 0, count: size)
        values = [Value?](repeating: nil, count: size)
        count = 0
        for (number, value) in zip(oldNumbers, oldValues) {
            if let value { insert(value, at: number) }
        }
    }
}

extension NumberedTable: Equatable where Value: Equatable {
    static func == (left: NumberedTable, right: NumberedTable) -> Bool {
        left.count == right.count
            && zip(left.numbers, left.values).allSatisfy { number, value in
                value.map { right[number] == $0 } ?? true
            }
    }
}
