/** What a status of the handshake means. A 401 alone is nothing to tell: another token may make up for it. @param {number} status */
function statusWords(status) {
    switch (status) {
        case 401:
            return "";
        case 403:
            return "Access denied to this consultation.";
        case 404:
            return "Consultation not found.";
        case 0:
            return "Connection error: the server cannot be reached.";
        default:
            return status >= 500 ? "Server error. Retrying..." : `Connection error: the server answered with status ${status}.`;
    }
}

/** @param {number} code of a close frame. */
function codeWords(code) {
    switch (code) {
        case 4101:
            return "";
        case 4102:
        case 4103:
            return "Access denied to this consultation.";
        case 4104:
            return "Consultation not found.";
        case 1006:
            return "Connection error: the connection broke off.";
        default:
            return `Connection error: the connection was closed (${code}).`;
    }
}

/** @param {{what: string, code: number}} problem @returns {string} a sentence; empty where there is nothing to tell. */
export function describeProblem({ what, code }) {
    switch (what) {
        case "refused":
            return statusWords(code);
        case "closed":
            return codeWords(code);
        case "timeout":
            return "Connection error: the server did not answer in time.";
        default:
            return "Connection error: the server does not answer any more.";
    }
}

/** Why a connection was given up. @param {{failure: string, failureCode: number}} connection @returns {string} empty unless it was. */
export function describeFailure({ failure, failureCode }) {
    switch (failure) {
        case "attempts":
            return "Max reconnection attempts reached";
        case "unauthorized":
            return "Authentication failed. Please login again.";
        case "status":
            return statusWords(failureCode);
        case "code":
            return codeWords(failureCode);
        default:
            return "";
    }
}
