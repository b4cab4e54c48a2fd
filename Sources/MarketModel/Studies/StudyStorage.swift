/// The columns of a study in one piece of memory, whose front can be dropped without moving the rest.
struct StudyStorage: Sendable {
    private var values: [Double] = []
    private let columns: Int
    /// Room of a column.
    private var stride = 0
    /// Dropped rows that the next compaction removes.
    private var head = 0
    private(set) var count = 0

    init(columns: Int) { self.columns = columns }

    /// Forgets all rows and keeps the memory.
    mutating func removeAll() {
        head = 0
        count = 0
    }

    /// Makes rows, whose values are left as they are, or removes the last ones.
    /// - Complexity: O(1) amortised. No memory is allocated once twice as many rows have room as ever lived at a time.
    mutating func resize(to rows: Int) {
        count = rows
        guard head + rows > stride else { return }
        if head >= rows {
            compact()
        } else {
            grow(to: max(rows + rows / 4, min(stride * 2, rows * 2), 64))
        }
    }

    mutating func dropFirst(_ rows: Int) {
        head += rows
        count -= rows
    }

    /// Rows that were there before the columns became longer.
    private var live: Int { min(count, stride - head) }

    /// In place: a second owner of the memory would cause a copy.
    private mutating func compact() {
        let (head, live, stride, columns) = (head, live, stride, columns)
        values.withUnsafeMutableBufferPointer { all in
            for column in 0..<columns {
                for row in 0..<live { all[column * stride + row] = all[column * stride + head + row] }
            }
        }
        self.head = 0
    }

    private mutating func grow(to room: Int) {
        var new = [Double](repeating: .nan, count: room * columns)
        for column in 0..<columns {
            for row in 0..<live { new[column * room + row] = values[column * stride + head + row] }
        }
        values = new
        stride = room
        head = 0
    }

    func value(_ column: Int, _ row: Int) -> Double { values[column * stride + head + row] }

    /// One column; empty memory where there are no rows.
    func withColumn<R>(_ column: Int, _ body: (UnsafeBufferPointer<Double>) -> R) -> R {
        values.withUnsafeBufferPointer { all in
            let start = column * stride + head
            return body(UnsafeBufferPointer(rebasing: all[start..<start + count]))
        }
    }

    /// All columns, to write; the second argument is the distance from one to the next.
    mutating func withColumns(_ body: (UnsafeMutablePointer<Double>, Int) -> Void) {
        let (head, stride) = (head, stride)
        values.withUnsafeMutableBufferPointer { all in
            if let start = all.baseAddress { body(start + head, stride) }
        }
    }
}
