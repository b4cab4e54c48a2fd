/**
 * Exponential average; begins with the mean of the first `period` prices. Like all here it computes its value with one
 * more price (`with`), and takes a price in once its candle is over (`close`).
 */
class Average {
    #period;
    #weight;
    #seed = 0;
    #count = 0;
    #closed = NaN;

    constructor(period, weight = 2 / (period + 1)) {
        this.#period = period;
        this.#weight = weight;
    }

    /** What the average is with `price` as the newest one, which stays out of it. */
    with(price) {
        if (this.#count >= this.#period) return this.#closed + this.#weight * (price - this.#closed);
        return this.#count === this.#period - 1 ? (this.#seed + price) / this.#period : NaN;
    }

    /** Takes `price` in. */
    close(price) {
        this.#closed = this.with(price);
        this.#seed += price;
        this.#count += 1;
    }
}

/** RSI over 14 prices with Wilder's averages. */
class RelativeStrength {
    #gains = new Average(14, 1 / 14);
    #losses = new Average(14, 1 / 14);
    #last = NaN;

    with(price) {
        const step = price - this.#last;
        const gain = this.#gains.with(Math.max(0, step));
        const loss = this.#losses.with(Math.max(0, -step));
        return [gain + loss === 0 ? 50 : (100 * gain) / (gain + loss)];
    }

    close(price) {
        if (!Number.isNaN(this.#last)) {
            this.#gains.close(Math.max(0, price - this.#last));
            this.#losses.close(Math.max(0, this.#last - price));
        }
        this.#last = price;
    }
}

/** MACD 12, 26, 9: the line, its signal and their distance. */
class Convergence {
    #fast = new Average(12);
    #slow = new Average(26);
    #signal = new Average(9);

    with(price) {
        const line = this.#fast.with(price) - this.#slow.with(price);
        const signal = this.#signal.with(line);
        return [line, signal, line - signal];
    }

    close(price) {
        const line = this.#fast.with(price) - this.#slow.with(price);
        if (!Number.isNaN(line)) this.#signal.close(line);
        this.#fast.close(price);
        this.#slow.close(price);
    }
}

/** Bollinger bands over 20 prices, two deviations: upper, middle, lower. */
class Bands {
    #window = new Float64Array(20);
    #count = 0;

    with(price) {
        if (this.#count < 19) return [NaN, NaN, NaN];
        // The oldest of the twenty makes room for `price`.
        const oldest = this.#window[this.#count % 20];
        let sum = price - oldest;
        for (const each of this.#window) sum += each;
        const mean = sum / 20;
        let squares = (price - mean) ** 2 - (oldest - mean) ** 2;
        for (const each of this.#window) squares += (each - mean) ** 2;
        const width = 2 * Math.sqrt(Math.max(0, squares / 20));
        return [mean + width, mean, mean - width];
    }

    close(price) {
        this.#window[this.#count % 20] = price;
        this.#count += 1;
    }
}

/**
 * RSI, MACD and Bollinger bands of a growing series: what a careful user of a chart without studies writes, a constant
 * amount of work per price.
 */
export class Studies {
    #all = [new RelativeStrength(), new Convergence(), new Bands()];
    #time = NaN;
    #close = NaN;

    /** @returns {number[]} seven values of the candle that `time` begins: RSI; MACD, signal, distance; three bands. */
    update(time, close) {
        if (time > this.#time) {
            for (const study of this.#all) study.close(this.#close);
        }
        this.#time = time;
        this.#close = close;
        return this.#all.flatMap((study) => study.with(close));
    }
}
