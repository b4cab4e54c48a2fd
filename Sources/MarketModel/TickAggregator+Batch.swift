extension TickAggregator {
    /// Ingests many ticks given as columns; the same result as ingesting them one by one.
    ///
    /// Runs of ticks that are in order and belong to one base bucket are reduced eight at a time; everything else
    /// (a new bucket, a late tick, a bad number) goes the way of a single tick.
    /// - Parameters:
    ///   - timestamps: seconds since 1970 UTC.
    ///   - prices: as many as `timestamps`.
    ///   - volumes: as many as `timestamps`.
    ///   - emit: receives bars that became final or were corrected.
    public mutating func ingest(
        timestamps: UnsafeBufferPointer<Double>, prices: UnsafeBufferPointer<Double>,
        volumes: UnsafeBufferPointer<Double>, emit: (Bar) -> Void
    ) {
        precondition(timestamps.count == prices.count && prices.count == volumes.count, "columns must be of one length")
        guard let times = timestamps.baseAddress, let price = prices.baseAddress, let volume = volumes.baseAddress
        else { return }
        let count = timestamps.count
        var index = 0
        while index < count {
            let run = ingestRun(times + index, price + index, volume + index, count: count - index)
            // What ended the run lies within the next eight ticks; what spoiled it, anywhere in it.
            if run.isIngested { index += run.length }
            let resume = min(count, index + (run.isIngested ? 8 : run.length))
            while index < resume {
                ingest(timestamp: times[index], price: price[index], volume: volume[index], emit: emit)
                index += 1
            }
        }
    }

    /// Reduces the longest prefix that is in order and inside the base bucket, in blocks of eight.
    /// - Returns: how many ticks the run has, and whether they were ingested: with a number beyond all bounds among them
    ///   they must go one by one.
    private mutating func ingestRun(
        _ times: UnsafePointer<Double>, _ prices: UnsafePointer<Double>, _ volumes: UnsafePointer<Double>, count: Int
    ) -> (length: Int, isIngested: Bool) {
        // A run continues the accumulator: its first tick must not be older than the newest one seen.
        guard count > 8, times[0] >= newest, times[0] >= base.start, times[0] < base.end, !base.ticks.isEmpty
        else { return (0, true) }
        let end = base.end
        var high = SIMD8<Double>(repeating: base.ticks.high)
        var low = SIMD8<Double>(repeating: base.ticks.low)
        var sum = SIMD8<Double>(repeating: 0)
        var error = SIMD8<Double>(repeating: 0)
        var length = 0
        while length + 9 <= count {
            let time = UnsafeRawPointer(times + length).loadUnaligned(as: SIMD8<Double>.self)
            let nextTime = UnsafeRawPointer(times + length + 1).loadUnaligned(as: SIMD8<Double>.self)
            let price = UnsafeRawPointer(prices + length).loadUnaligned(as: SIMD8<Double>.self)
            let volume = UnsafeRawPointer(volumes + length).loadUnaligned(as: SIMD8<Double>.self)
            // In order, the eighth tick is the latest: it alone is held against the bucket's end. The ninth is only
            // compared; it belongs to the next block.
            guard times[length + 7] < end else { break }
            guard all((time .<= nextTime) .& (price .> 0) .& (volume .>= 0)) else { break }
            high.replace(with: price, where: price .> high)
            low.replace(with: price, where: price .< low)
            let next = sum + volume
            let part = next - sum
            error += (sum - (next - part)) + (volume - part)
            sum = next
            length += 8
        }
        guard length > 0 else { return (0, true) }
        // NaN stopped the run above. Too large a number shows here, which is cheaper than to look for it each time.
        guard high.max() <= Tick.largestNumber, sum.sum() <= Tick.largestNumber else { return (length, false) }
        base.ticks.high = high.max()
        base.ticks.low = low.min()
        base.ticks.close = prices[length - 1]
        base.ticks.closeTime = times[length - 1]
        for lane in 0..<8 {
            base.ticks.volume.add(sum[lane])
            base.ticks.volume.low += error[lane]
        }
        advance(to: times[length - 1])
        return (length, true)
    }
}
