import { recall, remember } from "../storage.js";
import { RestError } from "../stream/rest.js";
import { consultations } from "./consultation-api.js";

const KEY = "candlewire.consultation";

/** Which conversation this browser is in; that it has messages is the server's to know. */
export class CurrentConversation {
    /** @returns {string} empty for none. */
    get remembered() {
        const id = recall(KEY);
        return typeof id === "string" ? id : "";
    }

    /** @param {string} id empty: none. */
    remember(id) {
        remember(KEY, id || null);
    }

    /**
     * The one that this browser was in; else the newest that there is; else a new one.
     *
     * @returns {Promise<import("./consultation-api.js").Conversation>}
     * @throws {import("../stream/rest.js").RestError}
     */
    async find() {
        if (this.remembered !== "") {
            try {
                return await consultations.one(this.remembered);
            } catch (error) {
                if (!(error instanceof RestError) || (error.status !== 404 && error.status !== 403)) {
                    throw error;
                }
                this.remember("");
            }
        }
        const { consultations: [newest] } = await consultations.list();
        return newest ?? (await consultations.start());
    }

    /** One without messages: that which was begun and never used, or a new one. */
    async fresh() {
        const { consultations: known } = await consultations.list();
        return known.find(({ messages }) => messages === 0) ?? (await consultations.start());
    }
}
