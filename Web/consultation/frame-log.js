/** Characters of a frame that are kept. */
const LONGEST = 200;

/** The last frames of a connection, for a developer who looks for a fault. Tokens are never in it. */
export class FrameLog {
    /** How many are kept; 0: none. */
    limit = 0;
    /** @type {{time: number, isSent: boolean, bytes: number, text: string}[]} */
    lines = [];

    /** @param {boolean} isSent @param {number} bytes @param {string} text @param {number} time */
    add(isSent, bytes, text, time) {
        if (this.limit > 0) {
            this.lines.push({ time, isSent, bytes, text: text.slice(0, LONGEST) });
            this.lines.splice(0, this.lines.length - this.limit);
        }
    }
}
