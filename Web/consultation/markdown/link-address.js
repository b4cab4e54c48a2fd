/** The longest address that becomes a link. */
const MAX_LENGTH = 2000;
const SCHEMES = new Set(["http:", "https:", "mailto:"]);
const BARE = /https?:\/\/[^\s<>[\]"`|*]+/y;
const ANGLED = /<((?:https?:\/\/|mailto:)[^\s<>]+)>/y;

/**
 * Where a link may lead. An answer may name any address, and a click must never run anything in the page.
 *
 * @param {string} text
 * @returns {?string} the address; null where it has no scheme, or another than http, https and mailto.
 */
export function linkAddress(text) {
    if (text.length > MAX_LENGTH || !(/** @type {ParsingURL} */ (URL).canParse(text))) {
        return null;
    }
    const { protocol, href } = new URL(text);
    return SCHEMES.has(protocol) ? href : null;
}

/**
 * An address that stands in the text as it is: `https://…` after anything but a word, or `<https://…>`.
 *
 * @param {string} text
 * @param {number} at
 * @returns {?{text: string, address: string, end: number}}
 */
export function addressIn(text, at) {
    ANGLED.lastIndex = at;
    const angled = ANGLED.exec(text);
    if (angled) {
        return made(angled[1], ANGLED.lastIndex);
    }
    BARE.lastIndex = at;
    const bare = /\w/.test(text[at - 1] ?? "") ? null : BARE.exec(text);
    const found = bare ? withoutSentence(bare[0]) : "";
    return bare ? made(found, at + found.length) : null;
}

/** @param {string} text @param {number} end */
function made(text, end) {
    const address = linkAddress(text);
    return address ? { text, address, end } : null;
}

/** Without the marks of the sentence that the address stands in.
 * @param {string} address */
function withoutSentence(address) {
    let end = address.length;
    let open = 0;
    for (const each of address) {
        open += each === "(" ? 1 : each === ")" ? -1 : 0;
    }
    while (end > 0) {
        const last = address[end - 1];
        if (last === ")" && open < 0) {
            open += 1;
        } else if (!".,;:!?'_~".includes(last)) {
            break;
        }
        end -= 1;
    }
    return address.slice(0, end);
}

/**
 * What stands between the parentheses of `[text](destination "title")`. Parentheses in the address go one deep, so that
 * no character is read more than a few times.
 *
 * @param {string} text
 * @param {number} at of the opening parenthesis.
 * @returns {?{destination: string, end: number}}
 */
export function destinationIn(text, at) {
    let depth = 0;
    let end = at + 1;
    while (end < text.length) {
        const each = text[end];
        if (each === "(") {
            depth += 1;
        } else if (each === ")") {
            if (depth === 0) {
                break;
            }
            depth -= 1;
        }
        if (depth > 1 || each === "\n" || each === " " || each === "\t") {
            break;
        }
        end += 1;
    }
    const destination = text.slice(at + 1, end).replace(/^<(.*)>$/, "$1").replaceAll("&amp;", "&");
    const close = titleEnd(text, end);
    return close === null ? null : { destination, end: close };
}

/** After the closing parenthesis, past a title in quotes, which is not shown.
 * @param {string} text @param {number} at */
function titleEnd(text, at) {
    if (text[at] === ")") {
        return at + 1;
    }
    const quote = text[at + 1];
    if (text[at] !== " " || (quote !== '"' && quote !== "'")) {
        return null;
    }
    const close = text.indexOf(quote, at + 2);
    return close >= 0 && text[close + 1] === ")" ? close + 2 : null;
}
