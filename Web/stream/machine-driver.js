/** A timer further away than this overflows in browsers, and would fire at once. */
const MAX_TIMER_DELAY = 2 ** 31 - 1;

/**
 * A machine that decides about connections: after an input `next` returns what it requires, until there is no more.
 *
 * @typedef {object} Machine
 * @property {() => unknown} next null where nothing is to be done.
 * @property {number} deadline when to call `timerFired`; infinity when there is nothing to wait for.
 * @property {(now: number) => void} timerFired
 * @property {(socket: number, now: number) => void} opened
 */

/**
 * The shell of a machine: it owns the sockets and the timer, does what the machine says, and decides nothing. Times are
 * seconds of `performance.now()`.
 *
 * @template {?Machine} Driven
 */
export class MachineDriver extends EventTarget {
    /** @type {Driven} */
    machine;
    #url;
    /** @type {Map<number, WebSocket>} by the machine's number. */
    #sockets = new Map();
    #timer = 0;
    /** When the timer fires. */
    #due = Infinity;
    /** Whether actions are being performed; those of an input that comes meanwhile are performed in the same turn. */
    #isBusy = false;

    /** @param {Driven} machine @param {string} url `ws:` or `wss:` address of its server. */
    constructor(machine, url) {
        super();
        this.machine = machine;
        this.#url = url;
    }

    // What a kind of machine needs beside that.

    /** Does what the machine requires.
     * @param {unknown} _action */
    perform(_action) {}

    /** All actions of an input are performed. */
    performed() {}

    /** @param {number} _socket @param {unknown} _data a message. */
    received(_socket, _data) {}

    /** @param {number} _socket @param {CloseEvent} _event @param {boolean} _wasOpen */
    closed(_socket, _event, _wasOpen) {}

    /**
     * Gives the machine an input, and does what follows from it.
     *
     * @param {(machine: NonNullable<Driven>, now: number) => void} input
     */
    input(input) {
        const { machine } = this;
        if (!machine) {
            return;
        }
        try {
            input(machine, performance.now() / 1000);
        } finally {
            this.#isBusy || this.#work(machine);
        }
    }

    /** @param {NonNullable<Driven>} machine */
    #work(machine) {
        this.#isBusy = true;
        try {
            for (let action = machine.next(); action; action = machine.next()) {
                this.perform(action);
            }
        } finally {
            this.#isBusy = false;
            this.#setTimer(machine.deadline);
        }
        this.performed();
    }

    /** Opens a socket.
     * @param {number} number the machine's. @param {string} [query] more of the address, as `&ticket=…`. */
    openSocket(number, query = "") {
        const socket = new WebSocket(this.#url + query);
        let wasOpen = false;
        this.#sockets.set(number, socket);
        socket.onopen = () => {
            wasOpen = true;
            this.input((machine, now) => machine.opened(number, now));
        };
        socket.onmessage = ({ data }) => this.received(number, data);
        socket.onclose = (event) => {
            this.#sockets.delete(number);
            this.closed(number, event, wasOpen);
        };
    }

    /** @param {{socket: number, frame: string}} action */
    sendFrame({ socket, frame }) {
        this.#sockets.get(socket)?.send(frame);
    }

    /** Closes a socket that the machine has released, and ignores whatever it still reports.
     * @param {{socket: number, code?: number, reason?: string}} action */
    closeSocket({ socket: number, code = 0, reason = "" }) {
        const socket = this.#sockets.get(number);
        this.#sockets.delete(number);
        if (!socket) {
            return;
        }
        socket.onopen = socket.onmessage = socket.onclose = null;
        // Other codes are not a page's to send.
        if (code === 1000 || code >= 3000) {
            socket.close(code, reason);
        } else {
            socket.close();
        }
    }

    /** Sets the timer for an earlier deadline. For a later one, as after most messages, the timer finds that it is early.
     * @param {number} deadline */
    #setTimer(deadline) {
        if (deadline >= this.#due) {
            return;
        }
        clearTimeout(this.#timer);
        this.#due = deadline;
        // Rounded up, and never at once: a timer that is early has to come back again and again.
        const pause = Math.max(1, Math.ceil(deadline * 1000 - performance.now()));
        this.#timer = setTimeout(() => this.#timerFired(), Math.min(pause, MAX_TIMER_DELAY));
    }

    #timerFired() {
        this.#due = Infinity;
        const deadline = this.machine?.deadline ?? Infinity;
        if (performance.now() / 1000 < deadline) {
            this.#setTimer(deadline);
        } else {
            this.input((machine, now) => machine.timerFired(now));
        }
    }
}
