/** An error that a person can do something about: `message` is a sentence for people. */
export class UserError extends Error {
    /** @param {string} message @param {string} [field] of a form that the message is about; "" for none. */
    constructor(message, field = "") {
        super(message);
        this.field = field;
    }
}
