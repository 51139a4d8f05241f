import { connect } from 'node:net';
import { TOKENS } from '../data/world.ts';

/** The channel of Redis. */
export const CHANNEL = 'settings';

/** The text of the last change, and how many watchers have not received it. */
const expected = { text: Buffer.alloc(0), missing: 0, onAll: () => {} };

/** Resolves when some number of watchers have received a text. */
export function expectText(text: string, watchers: number): Promise<void> {
  return new Promise((resolve) => {
    Object.assign(expected, { text: Buffer.from(text), missing: watchers, onAll: resolve });
  });
}

/** Opened at a time. */
const CONCURRENCY = 50;

export interface WatchersOptions {
  readonly from: 'service' | 'socket-loop' | 'redis';
  readonly origin: string;
  readonly watchers: number;
}

/** Opens watchers, and waits until they are live. */
export async function openWatchers({ from, origin, watchers }: WatchersOptions): Promise<void> {
  const { hostname, port, host } = new URL(origin);
  const options = { host: hostname, port: Number(port), ...GREETINGS[from](host) };
  for (let opened = 0; opened < watchers; opened += CONCURRENCY) {
    const count = Math.min(CONCURRENCY, watchers - opened);
    await Promise.all(Array.from({ length: count }, () => openWatcher(options)));
  }
}

/** What a watcher sends, and what it receives when it is live. */
interface Greeting {
  readonly hello: string;
  readonly live: string;
}

const GREETINGS: Record<WatchersOptions['from'], (host: string) => Greeting> = {
  service: (host) => ({
    hello: `GET /trpc/guilds.watch?input=%7B%7D HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${TOKENS.application}\r\n\r\n`,
    live: '"type":"live"',
  }),
  'socket-loop': (host) => ({ hello: `GET /events HTTP/1.1\r\nhost: ${host}\r\n\r\n`, live: '"type":"live"' }),
  redis: () => ({ hello: `SUBSCRIBE ${CHANNEL}\r\n`, live: 'subscribe' }),
};

/** Shared by all watchers: it is read before the next one receives. */
const RECEIVED = Buffer.allocUnsafe(1 << 16);
const NOTHING = Buffer.alloc(0);

/** Opens a watcher that only looks for the text of a change, so that it costs little more than its socket. */
function openWatcher({ hello, live, ...address }: Greeting & { readonly host: string; readonly port: number }) {
  return new Promise<void>((resolve, reject) => {
    let isLive = false;
    // The end of what was received: a text may arrive in two parts.
    let rest: Buffer = NOTHING;
    const receive = (bytes: number) => {
      const chunk = RECEIVED.subarray(0, bytes);
      const received = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const wanted = isLive ? expected.text : Buffer.from(live);
      if (!received.includes(wanted)) {
        rest = Buffer.from(received.subarray(-wanted.length));
        return true;
      }
      rest = NOTHING;
      if (isLive) {
        expected.missing -= 1;
        if (expected.missing === 0) expected.onAll();
      }
      isLive = true;
      resolve();
      return true;
    };
    const socket = connect({ ...address, noDelay: true, onread: { buffer: RECEIVED, callback: receive } });
    socket.write(hello);
    socket.on('error', reject).on('close', () => {
      // A change would wait for it forever.
      if (isLive) throw new Error('A watcher was closed');
      reject(new Error('A watcher was closed before it was live'));
    });
  });
}
