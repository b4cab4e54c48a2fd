const PADDING = 0.05;
const AXIS_WIDTH = 76;
const AXIS_HEIGHT = 28;
const UP = "#33cc33";
const DOWN = "#cc3333";
const UP_VOLUME = "#33cc3366";
const DOWN_VOLUME = "#cc333366";

/**
 * What one would write for this one picture and nothing else: candles, volume, a grid, two axes, the last price. No
 * crosshair, no time zones, no settings; data is trusted. It is as fast as we know how to be in JavaScript, typed
 * arrays and levels of detail included.
 */
export class HandWritten {
    count = 0;
    /** How many bars are in view. */
    bars = 200;
    #canvas;
    #context;
    #ratio;
    /** The index at the plot's right edge. */
    #right = 0;
    #request = 0;
    #time = new Float64Array(0);
    #open = this.#time;
    #high = this.#time;
    #low = this.#time;
    #close = this.#time;
    #volume = this.#time;
    /** Level k has what `32 << k` bars come to. @type {{low: Float64Array, high: Float64Array, volume: Float64Array}[]} */
    #levels = [];

    constructor(canvas, ratio) {
        this.#canvas = canvas;
        this.#context = canvas.getContext("2d", { alpha: false });
        this.#ratio = ratio;
    }

    set(rows) {
        const count = rows.length / 6;
        const room = count + 4096;
        const columns = Array.from({ length: 6 }, () => new Float64Array(room));
        for (let i = 0, at = 0; i < count; i += 1, at += 6) {
            for (let k = 0; k < 6; k += 1) columns[k][i] = rows[at + k];
        }
        [this.#time, this.#open, this.#high, this.#low, this.#close, this.#volume] = columns;
        this.count = count;
        this.#levels = [];
        for (let size = Math.ceil(room / 32); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
            this.#levels.push({
                low: new Float64Array(size).fill(Infinity),
                high: new Float64Array(size),
                volume: new Float64Array(size),
            });
        }
        for (let i = 0; i < count; i += 1) this.#raise(i, 1);
        for (let k = 1; k < this.#levels.length; k += 1) this.#combine(k, 0, this.#levels[k].low.length);
        this.show(this.bars);
    }

    show(bars) {
        this.bars = bars;
        this.#right = this.count - 0.5 + bars * 0.02;
        this.#mark();
    }

    pan(pixels) {
        this.#right -= (pixels * this.bars) / (1200 - AXIS_WIDTH);
        this.#mark();
    }

    update({ time, open, high, low, close, volume }) {
        const i = time === this.#time[this.count - 1] ? this.count - 1 : this.count;
        // Follows, as the others do.
        if (i === this.count) this.#right += 1;
        this.count = i + 1;
        this.#time[i] = time;
        this.#open[i] = open;
        this.#high[i] = high;
        this.#low[i] = low;
        this.#close[i] = close;
        this.#volume[i] = volume;
        // The newest bar's extremes only grow.
        this.#raise(i, this.#levels.length);
        this.#mark();
    }

    #raise(i, levels) {
        let block = i >> 5;
        for (let k = 0; k < levels; k += 1, block >>= 1) {
            const { low, high, volume } = this.#levels[k];
            if (this.#low[i] < low[block]) low[block] = this.#low[i];
            if (this.#high[i] > high[block]) high[block] = this.#high[i];
            if (this.#volume[i] > volume[block]) volume[block] = this.#volume[i];
        }
    }

    #combine(k, from, to) {
        const below = this.#levels[k - 1];
        const { low, high, volume } = this.#levels[k];
        for (let i = from; i < to; i += 1) {
            const a = 2 * i;
            const b = Math.min(a + 1, below.low.length - 1);
            low[i] = Math.min(below.low[a], below.low[b]);
            high[i] = Math.max(below.high[a], below.high[b]);
            volume[i] = Math.max(below.volume[a], below.volume[b]);
        }
    }

    // What the last call of #extremes found.
    #foundLow = 0;
    #foundHigh = 0;
    #foundVolume = 0;

    #extremes(from, to) {
        let low = Infinity;
        let high = 0;
        let volume = 0;
        let i = from;
        while (i < to) {
            if ((i & 31) === 0 && i + 32 <= to) {
                let k = 0;
                while (k + 1 < this.#levels.length && (i & ((64 << k) - 1)) === 0 && i + (64 << k) <= to) k += 1;
                const level = this.#levels[k];
                const block = i >> (5 + k);
                if (level.low[block] < low) low = level.low[block];
                if (level.high[block] > high) high = level.high[block];
                if (level.volume[block] > volume) volume = level.volume[block];
                i += 32 << k;
            } else {
                if (this.#low[i] < low) low = this.#low[i];
                if (this.#high[i] > high) high = this.#high[i];
                if (this.#volume[i] > volume) volume = this.#volume[i];
                i += 1;
            }
        }
        this.#foundLow = low;
        this.#foundHigh = high;
        this.#foundVolume = volume;
    }

    #mark() {
        this.#request ||= requestAnimationFrame(() => {
            this.#request = 0;
            this.#draw();
        });
    }

    #draw() {
        const context = this.#context;
        const ratio = this.#ratio;
        const width = this.#canvas.width - AXIS_WIDTH * ratio;
        const height = this.#canvas.height - AXIS_HEIGHT * ratio;
        const spacing = width / this.bars;
        const from = Math.max(0, Math.floor(this.#right - this.bars));
        const to = Math.min(this.count, Math.ceil(this.#right + 0.5));
        this.#extremes(from, to);
        const range = (this.#foundHigh - this.#foundLow) * PADDING;
        const low = this.#foundLow - range;
        const high = this.#foundHigh + range;
        const bottom = height * 0.8;
        const scale = bottom / (high - low);
        const volumeScale = (height * 0.2) / this.#foundVolume;
        const x = (i) => width - (this.#right - i) * spacing;
        const y = (price) => Math.round(bottom - (price - low) * scale);

        context.fillStyle = "#141414";
        context.fillRect(0, 0, this.#canvas.width, this.#canvas.height);
        this.#axes(low, high, y, x, from, to, width, height);
        if (spacing >= 2.5) {
            this.#candles(from, to, spacing, height, volumeScale, x, y);
        } else {
            this.#columns(from, to, spacing, height, volumeScale, x, y);
        }
        const last = y(this.#close[this.count - 1]);
        context.fillStyle = UP;
        context.fillRect(0, last, width, ratio);
        context.fillStyle = "#e6e6e6";
        context.textAlign = "left";
        context.fillText(this.#close[this.count - 1].toFixed(2), width + 8 * ratio, last);
    }

    #axes(low, high, y, x, from, to, width, height) {
        const context = this.#context;
        const ratio = this.#ratio;
        const steps = [1, 2, 5];
        let step = 0.01;
        for (let i = 0; ((high - low) / step) * 46 * ratio > height; i += 1) step = 0.01 * steps[i % 3] * 10 ** Math.floor(i / 3);
        context.font = `${12 * ratio}px "Liberation Sans", sans-serif`;
        context.textBaseline = "middle";
        context.textAlign = "left";
        for (let price = Math.ceil(low / step) * step; price < high; price += step) {
            context.fillStyle = "#333333";
            context.fillRect(0, y(price), width, ratio);
            context.fillStyle = "#e6e6e6";
            context.fillText(price.toFixed(2), width + 8 * ratio, y(price));
        }
        context.textAlign = "center";
        const every = Math.max(1, Math.round((to - from) / 10));
        for (let i = Math.ceil(from / every) * every; i < to; i += every) {
            context.fillStyle = "#333333";
            context.fillRect(Math.round(x(i)), 0, ratio, height);
            context.fillStyle = "#e6e6e6";
            const date = new Date(this.#time[i] * 1000);
            context.fillText(date.toISOString().slice(11, 16), Math.round(x(i)), height + (AXIS_HEIGHT * ratio) / 2);
        }
    }

    #candles(from, to, spacing, height, volumeScale, x, y) {
        const context = this.#context;
        const body = Math.max(1, Math.floor(spacing * 0.8));
        const wick = Math.max(1, Math.min(this.#ratio, body / 3));
        for (const up of [true, false]) {
            context.fillStyle = up ? UP_VOLUME : DOWN_VOLUME;
            for (let i = from; i < to; i += 1) {
                if (this.#close[i] >= this.#open[i] !== up) continue;
                const tall = Math.round(this.#volume[i] * volumeScale);
                context.fillRect(Math.round(x(i) - body / 2), height - tall, body, tall);
            }
        }
        for (const up of [true, false]) {
            context.fillStyle = up ? UP : DOWN;
            for (let i = from; i < to; i += 1) {
                if (this.#close[i] >= this.#open[i] !== up) continue;
                const left = Math.round(x(i) - wick / 2);
                const top = y(this.#high[i]);
                context.fillRect(left, top, wick, y(this.#low[i]) - top);
                const a = y(this.#open[i]);
                const b = y(this.#close[i]);
                context.fillRect(Math.round(x(i) - body / 2), Math.min(a, b), body, Math.max(1, Math.abs(a - b)));
            }
        }
    }

    #columns(from, to, spacing, height, volumeScale, x, y) {
        const context = this.#context;
        const columns = [[], []];
        for (let i = from; i < to; ) {
            const left = Math.floor(x(i));
            let end = Math.min(to, Math.max(i + 1, Math.ceil(i + (left + 1 - x(i)) / spacing)));
            while (end < to && x(end) < left + 1) end += 1;
            this.#extremes(i, end);
            const top = y(this.#foundHigh);
            const up = this.#close[end - 1] >= this.#open[i];
            columns[up ? 0 : 1].push(
                left, top, Math.max(1, y(this.#foundLow) - top), Math.round(this.#foundVolume * volumeScale),
            );
            i = end;
        }
        for (const [at, column] of columns.entries()) {
            context.fillStyle = at === 0 ? UP_VOLUME : DOWN_VOLUME;
            for (let i = 0; i < column.length; i += 4) context.fillRect(column[i], height - column[i + 3], 1, column[i + 3]);
        }
        for (const [at, column] of columns.entries()) {
            context.fillStyle = at === 0 ? UP : DOWN;
            for (let i = 0; i < column.length; i += 4) context.fillRect(column[i], column[i + 1], 1, column[i + 2]);
        }
    }
}
