// Animation frames that come as soon as the one before is done. The browser's own come 60 times a second, so that every
// figure would be a multiple of 16.7 ms. Loaded before everybody else, and the same for all.
{
    const channel = new MessageChannel();
    const callbacks = new Map();
    let last = 0;
    channel.port1.onmessage = () => {
        const due = [...callbacks.values()];
        callbacks.clear();
        const now = performance.now();
        due.forEach((callback) => callback(now));
    };
    window.requestAnimationFrame = (callback) => {
        last += 1;
        if (callbacks.size === 0) channel.port2.postMessage(null);
        callbacks.set(last, callback);
        return last;
    };
    window.cancelAnimationFrame = (request) => callbacks.delete(request);
}
