import { element } from "../../dom.js";

const TAGS = /** @type {const} */ ({ em: "em", strong: "strong", del: "del", code: "code", break: "br" });

/**
 * Makes the last children of a parent those of `next`. What is the same stays the node that it is, so that a selection
 * and a reader's place in it stay, too; text that grew is appended to.
 *
 * @param {Node} parent
 * @param {readonly import("./inline.js").Inline[]} before what its last children are.
 * @param {readonly import("./inline.js").Inline[]} next
 */
export function updateLast(parent, before, next) {
    let node = parent.lastChild;
    for (let count = before.length - 1; count > 0; count -= 1) {
        node = node?.previousSibling ?? null;
    }
    if (before.length === 0) {
        node = null;
    }
    for (const [index, wanted] of next.entries()) {
        const after = node?.nextSibling ?? null;
        if (!node) {
            parent.appendChild(nodeOf(wanted));
        } else if (!updated(node, before[index], wanted)) {
            parent.replaceChild(nodeOf(wanted), node);
        }
        node = after;
    }
    while (node) {
        const after = node.nextSibling;
        parent.removeChild(node);
        node = after;
    }
}

/**
 * @param {Node} node
 * @param {import("./inline.js").Inline} before what it is.
 * @param {import("./inline.js").Inline} wanted
 * @returns {boolean} whether it could be made that.
 */
function updated(node, before, wanted) {
    if (before.kind !== wanted.kind) {
        return false;
    }
    if (wanted.kind === "link") {
        const { address } = /** @type {import("./inline.js").InlineParent} */ (before);
        address !== wanted.address && setAddress(/** @type {HTMLAnchorElement} */ (node), wanted.address ?? "");
    }
    if (wanted.children) {
        updateLast(node, before.children ?? [], wanted.children);
    } else if (wanted.kind !== "break" && before.text !== wanted.text) {
        const text = /** @type {Text} */ (wanted.kind === "code" ? node.firstChild : node);
        if (wanted.text.startsWith(before.text ?? "")) {
            text.appendData(wanted.text.slice(before.text?.length));
        } else {
            text.data = wanted.text;
        }
    }
    return true;
}

/** @param {import("./inline.js").Inline} wanted @returns {Node} */
function nodeOf(wanted) {
    if (wanted.kind === "text") {
        return document.createTextNode(wanted.text);
    }
    const node = wanted.kind === "link" ? link(wanted.address ?? "") : element(TAGS[wanted.kind]);
    if (wanted.kind === "code") {
        node.appendChild(document.createTextNode(wanted.text));
    }
    wanted.children?.forEach((child) => node.appendChild(nodeOf(child)));
    return node;
}

/** @param {string} address */
function link(address) {
    const made = element("a", { target: "_blank", rel: "noopener noreferrer" });
    setAddress(made, address);
    return made;
}

/** The title says where it leads: the text may say something else.
 * @param {HTMLAnchorElement} target @param {string} address */
function setAddress(target, address) {
    target.href = address;
    target.title = address;
}
