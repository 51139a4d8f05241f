import { connect } from 'node:net';
import { guildId } from '../data/guilds.ts';
import { TOKENS } from '../data/world.ts';
import { openConnection } from './http-connection.ts';
import { handleJobs } from './task.ts';

/** Changes that watchers receive, one after another: the next one is sent when all watchers have received the last. */
export interface FanOutJob {
  readonly origin: string;
  /** Opened by the first job, and used by all. */
  readonly watchers: number;
  readonly seconds: number;
}

const MIN_CHANGES = 3;

const CONCURRENCY = 50;

let isOpen = false;
let prefixes = 0;

/** The text of the last change, and how many watchers have not received it. */
const expected = { text: Buffer.alloc(0), missing: 0, onAll: () => {} };

handleJobs<FanOutJob, number>(async ({ origin, watchers, seconds }) => {
  for (let opened = 0; !isOpen && opened < watchers; opened += CONCURRENCY) {
    const count = Math.min(CONCURRENCY, watchers - opened);
    await Promise.all(Array.from({ length: count }, () => openWatcher(origin)));
  }
  isOpen = true;
  let fail = (_error: Error) => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  using connection = await openConnection(origin, fail);
  const until = performance.now() + seconds * 1_000;
  let changes = 0;
  for (; performance.now() < until || changes < MIN_CHANGES; changes++) {
    prefixes += 1;
    const prefix = `${process.pid}-${prefixes}.`;
    const received = new Promise<void>((onAll) => {
      Object.assign(expected, { text: Buffer.from(prefix), missing: watchers, onAll });
    });
    const status = new Promise<number>((resolve) => {
      connection.send(changeOf(origin, prefix), resolve);
    });
    const [, found] = await Promise.race([Promise.all([received, status]), failed]);
    if (found !== 200) throw new Error(`Expected 200 of a PATCH of ${origin}, received ${found}`);
  }
  return changes;
});

function changeOf(origin: string, prefix: string): string {
  const body = JSON.stringify({ prefix });
  const type = `content-type: application/json\r\ncontent-length: ${body.length}`;
  return `PATCH /guilds/${guildId(0)} HTTP/1.1\r\n${headersOf(origin)}\r\n${type}\r\n\r\n${body}`;
}

function headersOf(origin: string): string {
  return `host: ${new URL(origin).host}\r\nauthorization: Bearer ${TOKENS.application}`;
}

/** Shared by all watchers: it is read before the next one receives. */
const RECEIVED = Buffer.allocUnsafe(1 << 16);
const NOTHING = Buffer.alloc(0);
const LIVE = Buffer.from('"type":"live"');

/** Opens a watcher that only looks for the text of a change, so that it costs little more than its socket. */
function openWatcher(origin: string): Promise<void> {
  const { hostname, port } = new URL(origin);
  return new Promise<void>((resolve, reject) => {
    let isLive = false;
    // The end of what was received: a text may arrive in two parts.
    let rest: Buffer = NOTHING;
    const receive = (bytes: number) => {
      const chunk = RECEIVED.subarray(0, bytes);
      const received = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const wanted = isLive ? expected.text : LIVE;
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
    const onread = { buffer: RECEIVED, callback: receive };
    const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
    socket.write(`GET /trpc/guilds.watch?input=%7B%7D HTTP/1.1\r\n${headersOf(origin)}\r\n\r\n`);
    socket.on('error', reject).on('close', () => {
      // A change would wait for it forever.
      if (isLive) throw new Error('A watcher was closed');
      reject(new Error('A watcher was closed before it was live'));
    });
  });
}
