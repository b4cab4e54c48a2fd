import { switchOff } from "../ui/icon-button.js";

/**
 * Fills a text field with what is spoken, where the browser can listen; elsewhere the button is hidden.
 */
export class VoiceInput {
    #button;
    #field;
    #report;
    /** @type {?SpeechRecognition} the one under way. */
    #listening = null;
    /** What stood in the field before. */
    #before = "";
    #isOff = false;

    /**
     * @param {HTMLElement} button
     * @param {HTMLTextAreaElement} field
     * @param {(sentence: string) => void} report what went wrong.
     */
    constructor(button, field, report) {
        this.#button = button;
        this.#field = field;
        this.#report = report;
        button.hidden = !recognition();
        // What was spoken until then is used.
        button.addEventListener("click", () => (this.#listening ? this.#listening.stop() : this.#start()));
    }

    /** Whether there is nothing to fill now: what is under way is dropped.
     * @param {boolean} isOff */
    set isOff(isOff) {
        this.#isOff = isOff;
        switchOff(this.#button, isOff);
        isOff && this.drop();
    }

    /** At once; what is still on its way is not wanted any more. */
    drop() {
        const listening = this.#listening;
        if (listening) {
            listening.onresult = listening.onerror = listening.onend = null;
            listening.abort();
            this.#ended();
        }
    }

    #ended() {
        this.#listening = null;
        this.#button.setAttribute("aria-pressed", "false");
    }

    #start() {
        if (this.#isOff) {
            return;
        }
        const Recognition = /** @type {new () => SpeechRecognition} */ (recognition());
        const listening = new Recognition();
        this.#listening = listening;
        this.#before = this.#field.value.trim();
        listening.lang = navigator.language;
        listening.continuous = true;
        listening.interimResults = true;
        listening.onresult = ({ results }) => this.#fill(results);
        listening.onerror = ({ error }) => error === "no-speech" || error === "aborted" || this.#report(problem(error));
        listening.onend = () => {
            this.#ended();
            this.#field.focus();
        };
        this.#button.setAttribute("aria-pressed", "true");
        listening.start();
    }

    /** @param {ArrayLike<ArrayLike<{transcript: string}>>} results all since the start. */
    #fill(results) {
        const spoken = Array.from(results, (each) => each[0].transcript.trim()).join(" ");
        this.#field.value = [this.#before, spoken].filter((each) => each !== "").join(" ");
        this.#field.dispatchEvent(new Event("input", { bubbles: true }));
    }
}

/** The browser's class, or undefined. */
function recognition() {
    return window.SpeechRecognition ?? window.webkitSpeechRecognition;
}

/** @param {string} error */
function problem(error) {
    return error === "not-allowed" ? "The browser isn’t allowed to use the microphone here." : `Voice input failed (${error}).`;
}
