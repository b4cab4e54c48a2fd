// A classic script in the head: the remembered theme is there before the first paint, so the page does not flash.
try {
    const theme = localStorage.getItem("candlewire.theme");
    if (theme === "dark" || theme === "light") {
        document.documentElement.dataset.theme = theme;
    }
} catch {
    // Storage may be forbidden; the system's theme is used then.
}
