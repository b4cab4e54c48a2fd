const clock = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", hour: "2-digit", minute: "2-digit", second: "2-digit" });
const date = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** A time in UTC, short: the clock of today, else the day as well. @param {number} timestamp seconds since 1970. */
export function shortTime(timestamp) {
    const isToday = Math.floor(timestamp / 86_400) === Math.floor(Date.now() / 86_400_000);
    return (isToday ? clock : date).format(timestamp * 1000);
}
