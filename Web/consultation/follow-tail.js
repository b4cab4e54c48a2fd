/** Pixels from the end that still count as the end. */
const NEAR = 32;

/**
 * Keeps the end of a scrolled list in view while it grows, unless somebody scrolled up; then a button leads back.
 */
export class FollowTail {
    isFollowing = true;
    #scroller;
    #button;
    /** Scrolled here by itself; the event that comes of it says nothing of what a person wants. */
    #expected = -1;

    /** @param {HTMLElement} scroller @param {HTMLElement} button shown where something new is out of sight. */
    constructor(scroller, button) {
        this.#scroller = scroller;
        this.#button = button;
        button.addEventListener("click", () => this.resume());
        scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
        new ResizeObserver(() => this.isFollowing && this.#toEnd()).observe(scroller);
    }

    /** To the end, and on with it. */
    resume() {
        this.isFollowing = true;
        this.#button.hidden = true;
        this.#toEnd();
    }

    /** The list is another one, or longer. @param {boolean} isNews whether there is more at its end. */
    changed(isNews) {
        if (this.isFollowing) {
            this.#toEnd();
        } else if (isNews) {
            this.#button.hidden = false;
        }
    }

    /** What is seen stays where it is while something comes before it. @param {() => void} change */
    hold(change) {
        const before = this.#scroller.scrollHeight - this.#scroller.scrollTop;
        change();
        this.#scroller.scrollTop = this.#scroller.scrollHeight - before;
    }

    get #distance() {
        const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
        return scrollHeight - scrollTop - clientHeight;
    }

    #scrolled() {
        if (Math.abs(this.#scroller.scrollTop - this.#expected) < 1 && this.isFollowing) {
            return;
        }
        this.isFollowing = this.#distance < NEAR;
        this.#button.hidden ||= this.isFollowing;
    }

    #toEnd() {
        this.#scroller.scrollTop = this.#scroller.scrollHeight;
        this.#expected = this.#scroller.scrollTop;
    }
}
