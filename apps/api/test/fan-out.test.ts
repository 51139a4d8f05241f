import { Agent, type ClientRequest, request } from 'node:http';
import { type Shard, WATCH_EVENT_TYPES, type WatchEvent } from '@guild-settings/contract';
import { printedSeed, repetitions, waitUntil } from '@guild-settings/testing';
import { sharedApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { connectTo, statusOf } from '@guild-settings/testing/raw-http';
import { type Message, messageReader } from '@guild-settings/testing/streams';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const WATCHERS = 1_000;
/** Watchers for several turns of the event loop. */
const MANY = 500;
const ROUNDS = repetitions(8, 120);

/** Guilds of different shards for any shard count. */
const GUILDS = Array.from({ length: 12 }, (_, index) => String(300_000_000_000_000_000n + (BigInt(index) << 22n)));

const withoutType = (left: string) => WATCH_EVENT_TYPES.filter((type) => type !== left);

const view: fc.Arbitrary<PlainView> = fc.record(
  {
    shard: fc
      .integer({ min: 1, max: 4 })
      .chain((count) => fc.record({ id: fc.nat({ max: count - 1 }), count: fc.constant(count) })),
    accepts: fc.constantFrom(WATCH_EVENT_TYPES, withoutType('guilds'), withoutType('live'), withoutType('bookmark')),
  },
  { requiredKeys: [] },
);

const round = fc.record({
  writes: fc.array(fc.constantFrom(...GUILDS), { minLength: 1, maxLength: 4 }),
  leaving: fc.array(fc.nat({ max: WATCHERS - 1 }), { maxLength: 20 }),
});

const running = sharedApi({ LOG_LEVEL: 'error' });
const agent = new Agent({ keepAlive: true });

function change(api: TestApi, guildId: string, prefix: string): Promise<readonly [revision: number, json: string]> {
  const headers = { authorization: `Bearer ${api.tokens.application}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const patch = request(`${api.url}/guilds/${guildId}`, { method: 'PATCH', agent, headers }, (response) => {
      let json = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        json += part;
      });
      response.on('end', () => resolve([Number.parseInt(response.headers.etag?.slice(1) ?? '', 10), json]));
    });
    patch.on('error', reject).end(JSON.stringify({ prefix }));
  });
}

const follows = ({ shard }: PlainView, guildId: string) =>
  shard === undefined || Number((BigInt(guildId) >> 22n) % BigInt(shard.count)) === shard.id;

describe('a change with a thousand watchers', () => {
  test('is received once by each watcher of its guild, byte for byte, while other watchers connect and leave', async () => {
    const api = running();
    const seed = printedSeed('fan-out');
    const watchers = fc
      .sample(view, { seed, numRuns: WATCHERS })
      .map((each) => new PlainWatcher(api.url, api.tokens.application, each));
    for (const watcher of watchers) watcher.open();
    const expectsLive = ({ view: { accepts } }: PlainWatcher) => accepts?.includes('live') ?? true;
    await waitUntil(() => watchers.every((each) => each.isLive || (!expectsLive(each) && each.revisions.length > 0)));
    const written = new Map<number, string>();
    const newest = new Map<string, number>();
    const write = async (guildId: string, prefix: string) => {
      const [revision, json] = await change(api, guildId, prefix);
      written.set(revision, json);
      newest.set(guildId, Math.max(revision, newest.get(guildId) ?? 0));
    };
    for (const [index, { writes, leaving }] of fc.sample(round, { seed, numRuns: ROUNDS }).entries()) {
      const changing = writes.map((guildId, at) => write(guildId, `${index}.${at}`));
      // The first response arrives before most watches are written to.
      await Promise.race(changing);
      for (const at of leaving) watchers[at]?.close();
      await Promise.all(changing);
      for (const at of leaving) watchers[at]?.open();
    }
    const newestFor = ({ view: each }: PlainWatcher) =>
      Math.max(0, ...[...newest].filter(([guildId]) => follows(each, guildId)).map(([, revision]) => revision));
    await waitUntil(() => watchers.every((watcher) => watcher.revision >= newestFor(watcher)));
    for (const watcher of watchers) {
      const { records, revisions, types } = watcher;
      const known = new Map(records.map(({ guildId, revision }) => [guildId, revision]));
      expect(known).toEqual(new Map([...newest].filter(([guildId]) => follows(watcher.view, guildId))));
      expect(records.filter(({ revision, json }) => written.get(revision) !== json)).toEqual([]);
      expect(records.map(({ revision }) => revision)).toEqual([...new Set(records.map(({ revision }) => revision))]);
      expect(revisions).toEqual(revisions.toSorted((one, other) => one - other));
      for (const type of types) expect(watcher.view.accepts ?? WATCH_EVENT_TYPES).toContain(type);
    }
    for (const watcher of watchers) watcher.close();
  });

  test('is responded to, and so is the request after it, before the last watcher has received it', async () => {
    const api = running();
    const watchers = Array.from({ length: MANY }, () => new PlainWatcher(api.url, api.tokens.application));
    for (const watcher of watchers) watcher.open();
    await waitUntil(() => watchers.every(({ isLive }) => isLive));
    const [revision] = await change(api, IDS.guild, 'now');
    await statusOf(`${api.url}/healthz`, { agent });
    const received = () => watchers.filter((watcher) => watcher.revision >= revision).length;
    expect(received()).toBeLessThan(MANY);
    await waitUntil(() => received() === MANY);
    for (const watcher of watchers) watcher.close();
  });
});

describe('the bytes of a stream', () => {
  const head = (api: TestApi, version: string) =>
    `GET /trpc/guilds.watch HTTP/${version}\r\nhost: x\r\nauthorization: Bearer ${api.tokens.application}\r\n\r\n`;

  test.each(['1.0', '1.1'])('end with the connection of a client of HTTP/%s, and have no chunks', async (version) => {
    const api = running();
    const socket = (await connectTo(api.url)).setEncoding('latin1');
    let text = '';
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.write(head(api, version));
    await waitUntil(() => text.includes('"type":"live"'));
    const [revision] = await change(api, IDS.guild, `bytes ${version}`);
    await waitUntil(() => text.endsWith(`:${revision}\n\n`));
    const headers = text.split('\r\n\r\n', 1)[0] ?? '';
    expect(headers).toMatch(/\r\nconnection: close(?:\r\n|$)/i);
    expect(headers).not.toMatch(/transfer-encoding|content-length/i);
    expect(text).toMatch(/\n\ndata: \{"type":"guild",[^\n]*\nid: [^\n]*\n\n$/);
    socket.destroy();
  });

  test('follow the response to an earlier request of the connection', async () => {
    const api = running();
    const socket = (await connectTo(api.url)).setEncoding('latin1');
    let text = '';
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.write(
      `GET /guilds/${IDS.guild} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.tokens.manager}\r\n\r\n${head(api, '1.1')}`,
    );
    await waitUntil(() => text.includes('"type":"live"'));
    expect(text.indexOf('application/json')).toBeLessThan(text.indexOf('text/event-stream'));
    socket.destroy();
  });
});

interface PlainView {
  readonly shard?: Shard;
  readonly accepts?: readonly string[];
}

/**
 * A watcher that uses Node's HTTP client, of which a thousand take a second. It resumes after the last received event.
 */
class PlainWatcher {
  readonly view: PlainView;
  readonly records: { readonly revision: number; readonly guildId: string; readonly json: string }[] = [];
  readonly types = new Set<string>();
  /** Revisions of the ids, in the order of receipt. */
  readonly revisions: number[] = [];
  readonly #authorization: string;
  readonly #url: string;
  #request: ClientRequest | undefined;
  #lastId: string | undefined;

  constructor(url: string, token: string, view: PlainView = {}) {
    this.view = view;
    this.#authorization = `Bearer ${token}`;
    this.#url = `${url}/trpc/guilds.watch?input=${encodeURIComponent(JSON.stringify(view))}`;
  }

  get isLive(): boolean {
    return this.#request !== undefined && this.types.has('live');
  }

  get revision(): number {
    return this.revisions.at(-1) ?? 0;
  }

  /** Connects. Data that an earlier connection still receives is ignored. */
  open(): void {
    const last = this.#lastId !== undefined && { 'last-event-id': this.#lastId };
    const outgoing = request(this.#url, { headers: { authorization: this.#authorization, ...last }, agent: false });
    const take = messageReader((message) => this.#receive(message));
    outgoing.on('response', (response) => {
      response.setEncoding('utf8').on('data', (part: string) => this.#request === outgoing && take(part));
      response.on('error', () => {});
    });
    outgoing.on('error', () => {}).end();
    this.#request = outgoing;
  }

  close(): void {
    this.#request?.destroy();
    this.#request = undefined;
  }

  #receive({ data, id }: Message): void {
    if (id === undefined) return;
    const event = JSON.parse(data) as WatchEvent;
    this.#lastId = id;
    this.types.add(event.type);
    this.revisions.push(Number(id.split(':')[1]));
    const changed = event.type === 'guilds' ? event.guilds : event.type === 'guild' ? [event] : [];
    for (const { revision, guild } of changed)
      this.records.push({ revision, guildId: guild.id, json: JSON.stringify(guild) });
  }
}
