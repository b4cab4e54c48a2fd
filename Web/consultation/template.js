/**
 * Something an assistant made that can be opened.
 *
 * @typedef {object} Template
 * @property {string} id
 * @property {string} type `meal`, `chart_layout` and the like, or a word of a later version.
 * @property {string} name
 * @property {string} description
 * @property {Record<string, any>} fields what it consists of.
 * @property {"" | "approved" | "declined"} decision of an order proposal.
 * @property {string} orderID of the order that it became.
 */

/**
 * @param {any} metadata of a `template_created`.
 * @returns {?Template} null where it has no id, type or name.
 */
export function readTemplate(metadata) {
    const { template_id: id, type, name, description = "", decision = "", order_id: orderID = "", ...fields } = metadata ?? {};
    if (![id, type, name].every((each) => typeof each === "string" && each !== "")) {
        return null;
    }
    return {
        ...{ id, type, name, fields },
        description: typeof description === "string" ? description : "",
        decision: decision === "approved" || decision === "declined" ? decision : "",
        orderID: typeof orderID === "string" ? orderID : "",
    };
}

/** The line that stands in the conversation. @param {Template} template @param {string} [kind] its type, for people. */
export function announcement({ type, name }, kind = type) {
    return `Created ${kind} template: ${name}`;
}
