// A classic script in the head: the remembered theme is there before the first paint, so the page does not flash.
try {
    const theme = localStorage.getItem("candlewire.theme");
    const { dataset } = document.documentElement;
    if (theme === "dark" || theme === "light") {
        dataset.theme = theme;
    } else if (theme === "deuteranopia" || theme === "high-contrast") {
        dataset.theme = "dark";
        dataset.palette = theme;
    } else if (theme === "custom") {
        dataset.theme = localStorage.getItem("candlewire.theme.ground") === "light" ? "light" : "dark";
        dataset.palette = theme;
    }
} catch {
    // Storage may be forbidden; the system's theme is used then.
}
