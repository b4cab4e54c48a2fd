/// How often each case of an enumeration came.
public struct Tally<Case: CaseIterable & RawRepresentable<Int> & Sendable>: Sendable, Equatable {
    private var counts = Array(repeating: 0, count: Case.allCases.count)

    public init() {}

    public subscript(_ element: Case) -> Int { counts[element.rawValue] }

    mutating func add(_ element: Case) { counts[element.rawValue] += 1 }
}
