import { byId, part, setText } from "../dom.js";
import { switchOff } from "../ui/icon-button.js";
import { MAX_MESSAGE_LENGTH, characterCount } from "./conversation-machine.js";
import { VoiceInput } from "./voice-input.js";

/** From this many characters on their number is shown. */
const COUNT_FROM = 4500;
/** Shown to a user who goes on typing without a connection. */
const OFFLINE = "Not connected, so you can’t type or send right now. Your text is kept.";

/**
 * Where a message is written.
 *
 * Without a connection it is off, but keeps the focus and the text: a field that is `disabled` loses the keyboard, and the
 * rest of the sentence would be keys of the page, up to those that trade.
 *
 * Events: `send` (detail: `text`, `edits`, the id of the message that it replaces or empty; a listener that prevents it leaves the
 * text in the field), `stop`.
 */
export class Composer extends EventTarget {
    element = byId("chat-composer");
    field = byId("chat-field", HTMLTextAreaElement);
    #send = byId("chat-send");
    #voice = new VoiceInput(byId("chat-voice"), this.field, (sentence) => this.showProblem(sentence));
    #stop = byId("chat-stop");
    #count = byId("chat-count");
    #problem = byId("chat-problem");
    #editing = byId("chat-editing");
    #edits = "";
    /** What stood here before editing began. */
    #draft = "";
    #isOn = false;
    #isAnswering = false;

    constructor() {
        super();
        this.#switch(false);
        this.#voice.isOff = true;
        part(this.#editing, "button").addEventListener("click", () => this.stopEditing());
        this.element.addEventListener("submit", (event) => {
            event.preventDefault();
            this.#submit();
        });
        this.field.addEventListener("input", () => this.#changed());
        this.field.addEventListener("keydown", (event) => this.#key(event));
        this.#stop.addEventListener("click", () => this.dispatchEvent(new Event("stop")));
        this.#changed();
    }

    /** @param {boolean} isOn whether there is a connection. @param {boolean} isAnswering whether an answer can be stopped. */
    show(isOn, isAnswering) {
        if (isOn === this.#isOn && isAnswering === this.#isAnswering) {
            return;
        }
        if (isOn !== this.#isOn) {
            this.#switch(isOn);
            this.#voice.isOff = !isOn;
            isOn && this.#problem.textContent === OFFLINE && this.showProblem("");
        }
        if (isAnswering !== this.#isAnswering && document.activeElement === this.#stop) {
            this.focus();
        }
        this.#isOn = isOn;
        this.#isAnswering = isAnswering;
        this.#stop.hidden = !isAnswering;
        this.#changed();
    }

    focus() {
        this.field.focus({ preventScroll: true });
    }

    /** @param {boolean} isOn */
    #switch(isOn) {
        this.field.readOnly = !isOn;
        this.field.setAttribute("aria-disabled", String(!isOn));
    }

    /** @param {string} sentence why something was not done; empty removes it. */
    showProblem(sentence) {
        setText(this.#problem, sentence);
    }

    /** @param {{id: string, text: string}} message to be replaced by what is written now. */
    edit({ id, text }) {
        this.#draft = this.#edits === "" ? this.field.value : this.#draft;
        this.#edits = id;
        this.#editing.hidden = false;
        this.#fill(text);
        this.focus();
    }

    stopEditing() {
        this.#edits = "";
        this.#editing.hidden = true;
        this.#fill(this.#draft);
        this.#draft = "";
        this.focus();
    }

    /** Ends voice input. */
    stopListening() {
        this.#voice.drop();
    }

    /** Empty, as for another conversation. */
    clear() {
        this.stopListening();
        this.#draft = this.#edits = "";
        this.#editing.hidden = true;
        this.showProblem("");
        this.#fill("");
    }

    /** @param {string} text */
    #fill(text) {
        this.field.value = text;
        this.#changed();
    }

    get #mayBeSent() {
        return this.#isOn && this.field.value.trim() !== "" && characterCount(this.field.value) <= MAX_MESSAGE_LENGTH;
    }

    #submit() {
        if (this.#mayBeSent) {
            const detail = { text: this.field.value.trim(), edits: this.#edits };
            this.dispatchEvent(new CustomEvent("send", { detail, cancelable: true })) && this.clear();
            // The next message is begun without the mouse; but on a phone the keyboard would come over the answer.
            document.activeElement === this.#send && matchMedia("(pointer: fine)").matches && this.focus();
        }
    }

    /** @param {KeyboardEvent} event */
    #key(event) {
        // While an input method composes, Enter and Escape are its own.
        if (event.isComposing) {
            return;
        }
        if (event.key === "Enter" && !event.shiftKey) {
            event.preventDefault();
            this.#submit();
        } else if (event.key === "Escape" && (this.#edits !== "" || this.#isAnswering)) {
            event.preventDefault();
            this.#edits === "" ? this.dispatchEvent(new Event("stop")) : this.stopEditing();
        }
        const isWriting = event.key === "Enter" || (event.key.length === 1 && !event.ctrlKey && !event.metaKey);
        !this.#isOn && isWriting && this.showProblem(OFFLINE);
    }

    #changed() {
        const { field } = this;
        const count = field.value.length < COUNT_FROM ? 0 : characterCount(field.value);
        setText(this.#count, count < COUNT_FROM ? "" : `${count} of ${MAX_MESSAGE_LENGTH} characters`);
        this.#count.toggleAttribute("data-over", count > MAX_MESSAGE_LENGTH);
        switchOff(this.#send, !this.#mayBeSent);
        field.style.height = "auto";
        field.style.height = `${field.scrollHeight + 2}px`;
    }
}
