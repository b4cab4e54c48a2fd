// Talks to a WebSocket with the client that Node brings, and prints what it saw as one line of JSON.
// Usage: node node_client.mjs URL echo|stream [SUBPROTOCOL]
const [url, conversation, subprotocol] = process.argv.slice(2);
const socket = new WebSocket(url, subprotocol ? [subprotocol] : []);
socket.binaryType = 'arraybuffer';
const seen = {};

const pattern = (length) => Uint8Array.from({ length }, (_, index) => (index * 31) & 255);
const messages = ['', 'h€llo', 'x'.repeat(1 << 20), new Uint8Array(0), pattern(300), pattern(1 << 20)];
const received = [];
let wake = () => {};
socket.onmessage = (event) => { received.push(event.data); wake(); };
const nextMessage = async () => {
  while (received.length === 0) await new Promise((resolve) => { wake = resolve; });
  return received.shift();
};

const isSame = (sent, received) =>
  typeof sent === 'string'
    ? sent === received
    : received instanceof ArrayBuffer && Buffer.from(sent).equals(Buffer.from(received));

const conversations = {
  async echo() {
    seen.same = [];
    for (const message of messages) {
      socket.send(message);
      seen.same.push(isSame(message, await nextMessage()));
    }
    socket.close(4001, 'enough');
  },
  async stream() {
    seen.types = [];
    socket.send(JSON.stringify({ action: 'subscribe', symbol: 'BTC-USD', timeframe: '1m', id: 7, history: 5 }));
    while (!seen.types.includes('tick')) seen.types.push(JSON.parse(await nextMessage()).type);
    socket.close(1000);
  },
};

socket.onopen = () => {
  seen.extensions = socket.extensions;
  seen.protocol = socket.protocol;
  conversations[conversation]();
};
socket.onerror = (event) => { seen.error = `${event.error?.cause ?? event.error ?? event.message}`; };
socket.onclose = ({ code, reason, wasClean }) => Object.assign(seen, { code, reason, wasClean });
// Not every version reports the close of a connection that never opened.
process.on('exit', () => console.log(JSON.stringify(seen)));
