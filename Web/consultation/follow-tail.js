/** Pixels from the end that still count as the end. */
const NEAR = 32;

/**
 * Keeps the end of a scrolled list in view while it grows, unless the user scrolled up; then a button leads back.
 */
export class FollowTail {
    isFollowing = true;
    #scroller;
    #button;
    /** Where it was scrolled to when one last looked. */
    #top = 0;

    /**
     * @param {HTMLElement} scroller
     * @param {HTMLElement} list what grows in it.
     * @param {HTMLElement} button shown where something new is out of sight.
     */
    constructor(scroller, list, button) {
        this.#scroller = scroller;
        this.#button = button;
        button.addEventListener("click", () => this.resume());
        scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
        // What comes into view may turn out to be longer than was thought.
        const sizes = new ResizeObserver(() => this.isFollowing && this.#toEnd());
        sizes.observe(scroller);
        sizes.observe(list);
    }

    /** To the end, and on with it. */
    resume() {
        this.isFollowing = true;
        this.#button.hidden = true;
        this.#toEnd();
    }

    /** The list is another one, or longer.
     * @param {boolean} isNews whether there is more at its end. */
    changed(isNews) {
        if (this.isFollowing) {
            this.#toEnd();
        } else if (isNews) {
            this.#button.hidden = false;
        }
    }

    /** What is seen stays where it is while something comes before it.
     * @param {() => void} change */
    hold(change) {
        this.isFollowing = false;
        const before = this.#scroller.scrollHeight - this.#scroller.scrollTop;
        change();
        this.#scroller.scrollTop = this.#scroller.scrollHeight - before;
    }

    get #distance() {
        const { scrollHeight, scrollTop, clientHeight } = this.#scroller;
        return scrollHeight - scrollTop - clientHeight;
    }

    /** Only a user who scrolls up means to stay: everything else may be the list that grows. */
    #scrolled() {
        const { scrollTop } = this.#scroller;
        const isUp = scrollTop < this.#top - 1;
        this.#top = scrollTop;
        if (this.#distance < NEAR) {
            this.isFollowing = true;
            this.#button.hidden = true;
        } else if (isUp) {
            this.isFollowing = false;
        }
    }

    #toEnd() {
        this.#scroller.scrollTop = this.#scroller.scrollHeight;
        this.#top = this.#scroller.scrollTop;
    }
}
