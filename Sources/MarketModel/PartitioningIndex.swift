extension RandomAccessCollection where Index == Int {
    /// The first index whose element satisfies what all after it do too; `endIndex` if there is none.
    ///
    /// ```swift
    /// let next = times.partitioningIndex { $0 > now }     // `times` ascend
    /// ```
    ///
    /// - Parameter belongsToSecond: false for the elements of a first part, which may be empty, and true for all others.
    /// - Complexity: O(log n)
    @inlinable package func partitioningIndex(_ belongsToSecond: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if belongsToSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
