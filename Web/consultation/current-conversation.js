import { recall, remember } from "../storage.js";
import { RestError } from "../stream/rest.js";
import { consultations } from "./consultation-api.js";

const KEY = "candlewire.consultation";

/** @param {string} type */
function keyOf(type) {
    return type === "markets" ? KEY : `${KEY}.${type}`;
}

/** Which conversation of each type this browser is in; that it has messages is the server's to know. */
export class CurrentConversation {
    /** @param {string} type @returns {string} empty for none. */
    remembered(type) {
        const id = recall(keyOf(type));
        return typeof id === "string" ? id : "";
    }

    /** @param {string} type @param {string} id empty: none. */
    remember(type, id) {
        remember(keyOf(type), id || null);
    }

    /**
     * The one that this browser was in; else the newest that there is; else a new one.
     *
     * @param {string} type
     * @returns {Promise<import("./consultation-api.js").Conversation>}
     * @throws {import("../stream/rest.js").RestError}
     */
    async find(type) {
        const remembered = this.remembered(type);
        if (remembered !== "") {
            try {
                return await consultations.one(remembered);
            } catch (error) {
                if (!(error instanceof RestError) || (error.status !== 404 && error.status !== 403)) {
                    throw error;
                }
                this.remember(type, "");
            }
        }
        const { consultations: [newest] } = await consultations.list("", type);
        return newest ?? (await consultations.start(type));
    }

    /** One without messages: that which was begun and never used, or a new one.
     * @param {string} type */
    async fresh(type) {
        const { consultations: known } = await consultations.list("", type);
        return known.find(({ messages }) => messages === 0) ?? (await consultations.start(type));
    }
}
