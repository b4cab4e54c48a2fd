/** Most bytes of a message's id. */
const LONGEST_ID = 128;
const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * One message of the consultation protocol, a text frame each way. `sequence` numbers what happens in a conversation,
 * without holes; `offset` is where a chunk belongs in its message's text, in bytes of UTF-8.
 *
 * @typedef {object} Envelope
 * @property {string} type `user_message`, `ai_message_start` and the like.
 * @property {string} [content]
 * @property {string} message_id
 * @property {string} timestamp ISO 8601.
 * @property {Record<string, any>} [metadata]
 * @property {number} [sequence]
 * @property {number} [offset]
 */

/**
 * Reads one frame.
 *
 * @param {string} text
 * @returns {{envelope: Envelope, time: number}} `time` in seconds since 1970.
 * @throws {RangeError} that names the field at fault; types of a later version are none.
 */
export function readEnvelope(text) {
    const envelope = parse(text);
    const { type, message_id: id, timestamp, content, metadata, sequence, offset } = envelope;
    check(typeof type === "string" && type !== "", "type is missing or empty; it says what the message is");
    check(typeof id === "string" && id !== "", "message_id is missing or empty");
    check(byteLength(id) <= LONGEST_ID, `message_id is longer than ${LONGEST_ID} bytes`);
    check(typeof timestamp === "string" && timestamp !== "", "timestamp is missing or empty");
    const time = TIME.test(timestamp) ? Date.parse(timestamp) / 1000 : NaN;
    check(Number.isFinite(time), "timestamp is no ISO 8601 time such as 2025-01-27T10:00:00Z");
    check(content == null || typeof content === "string", "content is no text");
    check(metadata == null || (typeof metadata === "object" && !Array.isArray(metadata)), "metadata is no object");
    check(sequence == null || (Number.isSafeInteger(sequence) && sequence >= 0), "sequence is no number from 0 on");
    check(offset == null || (Number.isSafeInteger(offset) && offset >= 0), "offset is no number from 0 on");
    return { envelope: withoutNull(envelope), time };
}

/**
 * @param {string} type
 * @param {{id: string, time: number, content?: string, metadata?: Record<string, any>, sequence?: number, offset?: number}}
 *   fields what is undefined is left out; `time` in seconds since 1970.
 * @returns {string} the frame.
 */
export function writeEnvelope(type, { id, time, content, metadata, sequence, offset }) {
    const timestamp = new Date(time * 1000).toISOString().replace(".000Z", "Z");
    return JSON.stringify({ type, content, message_id: id, timestamp, metadata, sequence, offset });
}

/** @param {string} text @returns {number} bytes of UTF-8. */
export function byteLength(text) {
    return encoder.encode(text).length;
}

/**
 * A text without its first bytes.
 *
 * @param {string} text
 * @param {number} count bytes of UTF-8.
 * @returns {?string} null where that is in the middle of a character.
 */
export function withoutBytes(text, count) {
    const bytes = encoder.encode(text);
    return count < bytes.length && (bytes[count] & 0xc0) === 0x80 ? null : decoder.decode(bytes.subarray(count));
}

/** Letters as people count them: what a limit of characters is about. @param {string} text */
export function characterCount(text) {
    // Nothing has more characters than it has units; to segment a megabyte takes seconds.
    return text.length > 100_000 ? text.length : [...segmenter.segment(text)].length;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** @param {string} text @returns {Record<string, any>} */
function parse(text) {
    let value;
    try {
        value = JSON.parse(text);
    } catch {
        throw new RangeError("The message is no JSON.");
    }
    check(value !== null && typeof value === "object" && !Array.isArray(value), "the message is no JSON object");
    return value;
}

/** @param {boolean} isGood @param {string} what */
function check(isGood, what) {
    if (!isGood) {
        throw new RangeError(`The message was dropped: ${what}.`);
    }
}

/** @param {Record<string, any>} envelope @returns {any} null is the same as nothing. */
function withoutNull(envelope) {
    return Object.fromEntries(Object.entries(envelope).filter(([, value]) => value !== null));
}
