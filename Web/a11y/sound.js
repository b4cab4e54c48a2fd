import { byId } from "../dom.js";
import { visibleRange } from "./chart-words.js";
import { pan, pitch, playTone, priceRange } from "./tones.js";

/** Milliseconds from bar to bar at each speed: Chart2Music's without the slowest and the fastest. */
const SPEEDS = [
    { name: "slow", pause: 250 },
    { name: "normal", pause: 100 },
    { name: "fast", pause: 50 },
];

/** @typedef {{range: {first: number, last: number}, prices: import("./tones.js").PriceRange}} Scale */

/**
 * The bars on screen as sound, a tone a bar. Off until the user plays it; the crosshair shows the bar that sounds. While it
 * is on, the focused chart's arrows play the bar they step to, and read it as they do without sound.
 */
export class Sound {
    #page;
    #bar = byId("sound");
    #playButton = byId("sound-play", HTMLButtonElement);
    #speed = byId("sound-speed", HTMLSelectElement);
    /** @type {?AudioContext} made with the first tone, as browsers require a click or a key for it. */
    #audio = null;
    /** The timer of the next bar; 0 while nothing plays. */
    #timer = 0;
    /** Index of the bar that sounded last. */
    #sounded = -1;

    /** @param {Pick<PageParts, "chart" | "live">} page */
    constructor(page) {
        this.#page = page;
        const { chart } = page;
        const { canvas } = chart;
        byId("sound-open").addEventListener("click", () => this.open());
        byId("sound-back").addEventListener("click", () => this.#step(-1));
        byId("sound-on").addEventListener("click", () => this.#step(1));
        byId("sound-close").addEventListener("click", () => this.close());
        this.#playButton.addEventListener("click", () => this.toggle());
        this.#bar.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
        chart.addKey("l", () => (this.isOpen ? this.toggle() : this.open()));
        chart.addHandler({ key: (event) => this.#pressed(event) });
        // One that stopped here has sounded.
        chart.addEventListener("read", () => this.isOpen && chart.legend()?.index !== this.#sounded && this.#sound());
        chart.addEventListener("selected", () => this.#stop());
        document.addEventListener("visibilitychange", () => document.hidden && this.#stop());
        canvas.addEventListener("pointerdown", () => this.#stop());
        this.#show();
    }

    get isOpen() {
        return !this.#bar.hidden;
    }

    get isPlaying() {
        return this.#timer !== 0;
    }

    /** Shows the controls and plays. */
    open() {
        if (typeof AudioContext === "undefined") {
            this.#page.live.announce("This browser cannot play sound.", "sound");
            return;
        }
        this.#bar.hidden = false;
        this.#page.chart.canvas.focus({ preventScroll: true });
        this.#play();
    }

    close() {
        this.#stop();
        this.#bar.hidden = true;
        this.#page.live.announce("Sound off.", "sound");
        this.#page.chart.canvas.focus({ preventScroll: true });
    }

    toggle() {
        if (this.isPlaying) {
            this.#stop();
            // Says where it stopped.
            this.#page.chart.read(() => {});
        } else {
            this.#play();
        }
    }

    /** @param {KeyboardEvent} event @returns {boolean} whether it is one of the sound's. */
    #pressed(event) {
        if (!this.isOpen || event.ctrlKey || event.altKey || event.metaKey) {
            return false;
        }
        /** @type {Record<string, () => void>} */
        const actions = {
            " ": () => this.toggle(),
            Escape: () => this.close(),
            "<": () => this.#changeSpeed(-1),
            ">": () => this.#changeSpeed(1),
        };
        const action = actions[event.key];
        action?.();
        if (event.key.startsWith("Arrow")) {
            this.#stop();
        }
        return action !== undefined;
    }

    /** From the bar of the crosshair, or from the first on screen where that is the last one. */
    #play() {
        const { chart } = this.#page;
        const scale = this.#look();
        const bar = chart.legend();
        if (!scale || !bar) {
            this.#page.live.announce("There are no bars to play.", "sound");
            return;
        }
        const { first, last } = scale.range;
        const start = bar.index >= first && bar.index < last ? bar.index : first;
        chart.change((engine) => {
            // The first step only shows the crosshair.
            engine.stepCrosshair(0);
            engine.stepCrosshair(start - (chart.legend()?.index ?? start));
        });
        this.#sound(scale);
        this.#next(scale);
    }

    /** @param {Scale} scale */
    #next(scale) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            const { chart } = this.#page;
            if ((chart.legend()?.index ?? Infinity) >= scale.range.last) {
                this.toggle();
                return;
            }
            chart.change((engine) => engine.stepCrosshair(1));
            this.#sound(scale);
            this.#next(scale);
        }, this.#pause);
        this.#show();
    }

    #stop() {
        clearTimeout(this.#timer);
        this.#timer = 0;
        this.#show();
    }

    /** @param {number} bars */
    #step(bars) {
        this.#stop();
        this.#page.chart.read((engine) => engine.stepCrosshair(bars));
    }

    /** What is on screen now: while it plays that stays the scale, as the crosshair may move it by a bar.
     * @returns {?Scale} null where there is no bar. */
    #look() {
        const engine = this.#page.chart.engineChart;
        const range = engine && visibleRange(engine);
        if (!range) {
            return null;
        }
        const bars = Array.from({ length: range.last - range.first + 1 }, (_, at) => engine.bar(range.first + at));
        return { range, prices: priceRange(bars.flatMap((bar) => bar?.close ?? [])) };
    }

    /** Plays the bar of the crosshair.
     * @param {?Scale} scale */
    #sound(scale = this.#look()) {
        const bar = this.#page.chart.legend();
        if (!scale || !bar) {
            return;
        }
        this.#sounded = bar.index;
        this.#audio ??= new AudioContext();
        this.#audio.resume();
        const frequency = pitch(bar.close, scale.prices);
        playTone(this.#audio, { frequency, pan: pan(bar.index, scale.range), seconds: this.#pause / 1000 });
    }

    get #pause() {
        return SPEEDS[this.#speed.selectedIndex].pause;
    }

    /** @param {number} step */
    #changeSpeed(step) {
        const index = Math.min(SPEEDS.length - 1, Math.max(0, this.#speed.selectedIndex + step));
        this.#speed.selectedIndex = index;
        this.#page.live.announce(`Speed: ${SPEEDS[index].name}.`, "sound");
    }

    #show() {
        const name = this.isPlaying ? "Pause" : "Play";
        this.#playButton.setAttribute("aria-label", name);
        this.#playButton.title = `${name} (Space)`;
        this.#playButton.dataset.playing = String(this.isPlaying);
    }
}
