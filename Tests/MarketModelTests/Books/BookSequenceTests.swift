import Testing

@testable import MarketModel

private func span(_ first: UInt64, _ last: UInt64, _ previous: UInt64? = nil) -> BookNumbers {
    BookNumbers(first: first, last: last, previous: previous)
}

@Suite("Sequences of book changes")
struct BookSequenceTests {
    private static func outcomes(
        _ numbering: BookNumbering, from snapshot: UInt64?, _ numbers: [BookNumbers?]
    ) -> [BookSequence.Outcome] {
        var sequence = BookSequence(numbering)
        sequence.begin(at: snapshot)
        return numbers.map { sequence.accept($0) }
    }

    @Test("spans: what the snapshot has is old, the first change may begin in it, and each other follows the last")
    func spans() {
        #expect(
            Self.outcomes(
                .spans, from: 100, [span(90, 99), span(95, 100), span(98, 103), span(104, 104), span(106, 107)])
                == [.old, .old, .next, .next, .gap])
        #expect(Self.outcomes(.spans, from: 100, [span(101, 105)]) == [.next])
        #expect(Self.outcomes(.spans, from: 100, [span(102, 105)]) == [.gap], "the snapshot is older than the changes")
        #expect(Self.outcomes(.spans, from: .max, [span(0, .max), span(5, 9)]) == [.old, .old])
    }

    @Test("spans that name the change before them follow that, whatever numbers lie between")
    func namedSpans() {
        #expect(
            Self.outcomes(
                .spans, from: 100, [span(80, 90, 79), span(95, 120, 93), span(150, 160, 120), span(180, 190, 170)])
                == [.old, .next, .next, .gap])
        #expect(Self.outcomes(.spans, from: 100, [span(105, 120, 100), span(130, 140, 119)]) == [.next, .gap])
        #expect(Self.outcomes(.spans, from: 100, [span(110, 120, 101)]) == [.gap], "one is missing after the snapshot")
    }

    @Test("links: each change names the last one; an equal number says that nothing happened, a lower one begins again")
    func links() {
        let link = { (previous: UInt64, number: UInt64) in BookNumbers(number, previous: previous) }
        #expect(
            Self.outcomes(.links, from: 10, [link(10, 15), link(15, 15), link(15, 3), link(3, 5), link(6, 7)])
                == [.next, .next, .next, .next, .gap])
        #expect(Self.outcomes(.links, from: 10, [link(7, 9)]) == [.old])
    }

    @Test("steps: each number is the last plus one")
    func steps() {
        let numbers = [9, 11, 11, 12, 14].map { BookNumbers($0) }
        #expect(Self.outcomes(.steps, from: 10, numbers) == [.old, .next, .old, .next, .gap])
    }

    @Test("times: what is not newer than the snapshot is old, and all others are made as they come")
    func times() {
        let numbers = [90, 100, 105, 105, 103, 110, 100].map { BookNumbers($0) }
        #expect(Self.outcomes(.times, from: 100, numbers) == [.old, .old, .next, .next, .next, .next, .old])
    }

    @Test(
        "numbers that go back, once changes have come, are of another numbering",
        arguments: [BookNumbering.spans, .links, .steps])
    func goesBack(numbering: BookNumbering) {
        let numbers = [BookNumbers(first: 11, last: 11, previous: 10), BookNumbers(first: 3, last: 3, previous: 2)]
        #expect(Self.outcomes(numbering, from: 10, numbers) == [.next, .gap])
    }

    @Test("a change without a number is a gap where there should be one, and nothing where there are none")
    func missing() {
        #expect(
            Self.outcomes(.steps, from: 10, [nil]) == [.gap]
                && Self.outcomes(.steps, from: nil, [BookNumbers(1)]) == [.gap])
        #expect(Self.outcomes(.none, from: nil, [nil, BookNumbers(5), nil]) == [.next, .next, .next])
    }
}
