import { prefersReducedMotion } from "../dom.js";

/** Pixels per wheel line, where a device scrolls by lines. */
const LINE_HEIGHT = 16;
/** Zoom per pixel of wheel: a common notch of 100 px makes bars a quarter wider. */
const WHEEL_ZOOM = 0.0022;
/** A trackpad pinch arrives as a wheel of a few pixels. */
const PINCH_WHEEL_ZOOM = 0.01;
/** Milliseconds a finger rests before it reads values instead of moving the chart. */
const LONG_PRESS = 350;
/** Pixels a pointer moves before it counts as a drag. */
const SLOP = 6;
/** Share of its speed that a flung chart keeps per millisecond. */
const FRICTION = 0.996;
/** A fling ends below this speed, pixels per millisecond. */
const REST = 0.02;
/** A mouse let go of while slower than this was only put down. */
const THROW = 0.4;
/** No throw is faster. */
const FASTEST = 5;

/** @typedef {{x: number, y: number}} Point */

/**
 * Mouse, pen and finger over the chart.
 *
 * Mouse: drag pans, a throw goes on for a while, the wheel zooms about the pointer, shift or a sideways wheel pans, double
 * click fits. Trackpads: a pinch zooms (browsers report it as a wheel with ctrl). Touch: one finger pans sideways and still
 * scrolls the page up and down, two fingers zoom, a long press reads values. What lies on the chart comes first: see
 * `PointerHandlers`.
 */
export class Gestures {
    #element;
    #panel;
    #handlers;
    /** @type {Map<number, {x: number, y: number}>} pointers that are down, where they were last. */
    #pointers = new Map();
    /** @type {"none" | "press" | "pan" | "pinch" | "read" | "handler"} */
    #mode = "none";
    #start = { x: 0, y: 0 };
    /** Where the pointer was last, with fractions. */
    #last = { x: 0, y: 0 };
    #longPress = 0;
    #velocity = 0;
    #movedAt = 0;
    #fling = 0;

    /**
     * @param {import("./chart-panel.js").ChartPanel} panel
     * @param {import("./pointer-handlers.js").PointerHandlers} handlers
     */
    constructor(panel, handlers) {
        const element = panel.canvas;
        this.#element = element;
        this.#panel = panel;
        this.#handlers = handlers;
        /** @type {<Type extends keyof HTMLElementEventMap>(type: Type, handle: (event: HTMLElementEventMap[Type]) => void, options?: object) => void} */
        const on = (type, handle, options) => element.addEventListener(type, handle, options);
        on("pointerdown", (event) => this.#down(event));
        on("pointermove", (event) => this.#move(event));
        on("pointerup", (event) => this.#up(event));
        on("pointercancel", (event) => this.#up(event));
        on("pointerleave", (event) => this.#leave(event));
        on("dblclick", (event) => this.#handlers.double(this.#point(event), event) || panel.fit());
        on("wheel", (event) => this.#wheel(event), { passive: false });
        on("contextmenu", (event) => this.#mode === "read" && event.preventDefault());
        // While a finger reads values or holds something the page must not scroll away under it.
        const isBusy = () => this.#mode === "read" || this.#mode === "handler";
        on("touchmove", (event) => isBusy() && event.preventDefault(), { passive: false });
    }

    /** @param {PointerEvent} event */
    #down(event) {
        if (event.pointerType === "mouse" && event.button !== 0) {
            return;
        }
        this.#stopFling();
        const point = this.#point(event);
        this.#pointers.set(event.pointerId, point);
        this.#element.setPointerCapture(event.pointerId);
        clearTimeout(this.#longPress);
        if (this.#pointers.size === 2) {
            this.#handlers.cancel();
            this.#mode = "pinch";
            return;
        }
        this.#start = point;
        if (this.#handlers.press(point, event)) {
            this.#mode = "handler";
            return;
        }
        this.#mode = "press";
        this.#velocity = 0;
        this.#movedAt = event.timeStamp;
        if (event.pointerType === "touch") {
            this.#longPress = setTimeout(() => this.#read(point), LONG_PRESS);
        }
    }

    /** @param {Point} point */
    #read(point) {
        this.#mode = "read";
        this.#panel.crosshair(point.x, point.y);
    }

    /** @param {PointerEvent} event */
    #move(event) {
        const point = this.#point(event);
        this.#last = point;
        const before = this.#pointers.get(event.pointerId);
        if (!before) {
            if (event.pointerType !== "touch") {
                this.#element.style.cursor = this.#handlers.hover(point);
                this.#panel.crosshair(point.x, point.y);
            }
            return;
        }
        if (this.#mode === "pinch") {
            this.#pinch(event.pointerId, before, point);
        } else if (this.#mode === "press" && Math.hypot(point.x - this.#start.x, point.y - this.#start.y) > SLOP) {
            clearTimeout(this.#longPress);
            this.#mode = "pan";
            this.#pan(event, point.x - this.#start.x, point.y - this.#start.y);
        } else if (this.#mode === "pan") {
            this.#drag(event, point.x - before.x, point.y - before.y);
        } else if (this.#mode === "handler") {
            this.#handlers.move(point, event);
        }
        if (this.#mode === "read" || (event.pointerType !== "touch" && this.#mode !== "pinch")) {
            this.#panel.crosshair(point.x, point.y);
        }
        this.#pointers.set(event.pointerId, point);
    }

    /** @param {PointerEvent} event @param {number} dx @param {number} dy */
    #pan(event, dx, dy) {
        this.#panel.pan(dx, event.pointerType === "touch" ? 0 : dy, this.#start.y);
    }

    /** @param {PointerEvent} event @param {number} dx @param {number} dy */
    #drag(event, dx, dy) {
        this.#pan(event, dx, dy);
        const elapsed = event.timeStamp - this.#movedAt;
        if (elapsed > 0) {
            this.#velocity = 0.7 * (dx / elapsed) + 0.3 * this.#velocity;
            this.#movedAt = event.timeStamp;
        }
    }

    /** @param {number} id @param {Point} before @param {Point} point */
    #pinch(id, before, point) {
        const other = [...this.#pointers].find(([each]) => each !== id)?.[1];
        if (!other) {
            return;
        }
        const apart = Math.abs(before.x - other.x) + Math.abs(before.y - other.y);
        const now = Math.abs(point.x - other.x) + Math.abs(point.y - other.y);
        if (apart > 0 && now > 0) {
            this.#panel.zoom(now / apart, (point.x + other.x) / 2);
        }
        this.#panel.pan((point.x - before.x) / 2);
    }

    /** @param {PointerEvent} event */
    #up(event) {
        if (!this.#pointers.delete(event.pointerId)) {
            return;
        }
        clearTimeout(this.#longPress);
        const mode = this.#mode;
        const rested = event.timeStamp - this.#movedAt > 60;
        this.#mode = "none";
        if (mode === "handler" && event.type === "pointercancel") {
            this.#handlers.cancel();
        } else if (mode === "handler") {
            this.#handlers.release(this.#point(event), event);
        } else if (mode === "press" && event.pointerType === "touch") {
            this.#panel.crosshairOff();
        } else if (mode === "pan" && event.type === "pointerup" && !rested) {
            this.#startFling(event.pointerType === "touch" ? REST : THROW);
        } else if (mode === "pinch" && this.#pointers.size === 1) {
            // The finger that stays goes on panning from where it is.
            this.#mode = "pan";
            this.#velocity = 0;
        }
    }

    /** @param {PointerEvent} event */
    #leave(event) {
        if (event.pointerType !== "touch" && this.#pointers.size === 0) {
            this.#panel.crosshairOff();
        }
    }

    /** @param {WheelEvent} event */
    #wheel(event) {
        event.preventDefault();
        this.#stopFling();
        const scale = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_HEIGHT : 1;
        const dx = event.deltaX * scale;
        const dy = event.deltaY * scale;
        if (event.shiftKey || Math.abs(dx) > Math.abs(dy)) {
            this.#panel.pan(-(dx || dy));
            return;
        }
        const strength = event.ctrlKey && Math.abs(dy) < 50 ? PINCH_WHEEL_ZOOM : WHEEL_ZOOM;
        const { x } = this.#point(event);
        // Wheels report whole pixels, pointers fractions: zooming about another place than the crosshair's moves its bar.
        this.#panel.zoom(Math.exp(-dy * strength), Math.abs(x - this.#last.x) < 1 ? this.#last.x : x);
    }

    /** @param {number} least speed that is meant as a throw. */
    #startFling(least) {
        if (prefersReducedMotion() || Math.abs(this.#velocity) < least) {
            return;
        }
        this.#velocity = Math.max(-FASTEST, Math.min(FASTEST, this.#velocity));
        let last = performance.now();
        const step = (/** @type {number} */ now) => {
            const elapsed = Math.max(0, now - last);
            last = now;
            this.#panel.pan(this.#velocity * elapsed);
            this.#velocity *= FRICTION ** elapsed;
            this.#fling = Math.abs(this.#velocity) > REST ? requestAnimationFrame(step) : 0;
        };
        this.#fling = requestAnimationFrame(step);
    }

    #stopFling() {
        cancelAnimationFrame(this.#fling);
        this.#fling = 0;
    }

    /** @param {MouseEvent} event */
    #point(event) {
        const box = this.#element.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }
}
