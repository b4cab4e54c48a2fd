import { RestError, getJSON, requestFile, requestJSON } from "../stream/rest.js";
import { streamAddress } from "../stream/stream-address.js";

/** Messages and conversations of one request. */
const PAGE = 50;

/**
 * @typedef {object} Conversation
 * @property {string} id
 * @property {string} type
 * @property {string} title
 * @property {number | string} created_at
 * @property {number | string} updated_at
 * @property {number} messages
 */

/** Conversations over HTTP: each call is one request and throws a `RestError`. */
export const consultations = {
    /** Whether this server has any.
     * @returns {Promise<boolean>} */
    async areServed() {
        return /** @type {{consultations?: unknown}} */ (await getJSON("/health")).consultations !== undefined;
    },

    /** What consultations may be about, the default one first.
     * @returns {Promise<import("./type-picker.js").ConsultationType[]>} */
    async types() {
        const answer = await getJSON("/consultation-types");
        return /** @type {{types: import("./type-picker.js").ConsultationType[]}} */ (answer).types;
    },

    /** @param {string} type @returns {Promise<Conversation>} */
    start(type) {
        return /** @type {Promise<Conversation>} */ (requestJSON("POST", "/consultations", { body: { consultationType: type } }));
    },

    /**
     * Newest first.
     *
     * @param {string} [before] the id of the last one known.
     * @param {string} [type] only of this type.
     * @returns {Promise<{consultations: Conversation[], more: boolean}>}
     */
    list(before, type) {
        const page = getJSON("/consultations", { limit: PAGE, ...(before ? { before } : {}), ...(type ? { type } : {}) });
        return /** @type {Promise<{consultations: Conversation[], more: boolean}>} */ (page);
    },

    /** @param {string} id @returns {Promise<Conversation>} */
    one(id) {
        return /** @type {Promise<Conversation>} */ (getJSON(`/consultations/${encodeURIComponent(id)}`));
    },

    /** @param {string} id @returns {Promise<number>} the status of its answer; 0 without one. */
    async status(id) {
        try {
            await this.one(id);
            return 0;
        } catch (error) {
            return error instanceof RestError ? error.status : 0;
        }
    },

    /** What opens one socket of the conversation, where the login has more than a first message may hold.
     * @param {string} id @returns {Promise<string>} */
    async ticket(id) {
        const path = `/consultations/${encodeURIComponent(id)}/ticket`;
        return /** @type {{ticket: string}} */ (await requestJSON("POST", path)).ticket;
    },

    /** @param {string} id @param {string} before a message's id. @returns {Promise<{messages: object[], more: boolean}>} */
    messages(id, before) {
        const page = getJSON(`/consultations/${encodeURIComponent(id)}/messages`, { limit: PAGE, before });
        return /** @type {Promise<{messages: object[], more: boolean}>} */ (page);
    },

    /** @param {string} id */
    delete(id) {
        return requestJSON("DELETE", `/consultations/${encodeURIComponent(id)}`);
    },

    /**
     * @param {string} id of the conversation.
     * @param {string} template
     * @param {"approve" | "decline"} decision
     * @param {string} account
     * @returns {Promise<Partial<ServerOrder>>} the order, of one that was approved.
     */
    decide(id, template, decision, account) {
        const path = `/consultations/${encodeURIComponent(id)}/proposals/${encodeURIComponent(template)}`;
        return /** @type {Promise<Partial<ServerOrder>>} */ (requestJSON("POST", path, { body: { decision, account } }));
    },

    /** The whole conversation as a document.
     * @param {string} id @param {"markdown" | "json"} format @returns {Promise<Blob>} */
    export(id, format) {
        // A long conversation over a slow line takes its time.
        const options = { parameters: { format }, timeout: 120_000 };
        return requestFile("GET", `/consultations/${encodeURIComponent(id)}/export`, options);
    },
};

/** Where a conversation is, on the server the page came from.
 * @param {Location} page @param {string} id */
export function consultationAddress(page, id) {
    return streamAddress(page, "ws/consultation", `consultation_id=${encodeURIComponent(id)}`);
}
