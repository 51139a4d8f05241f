import { type Cursor, DEFAULT_SETTINGS, type Language, WATCH_EVENT_TYPES } from '@guild-settings/contract';
import { describe, expect, test } from 'vitest';
import { Records } from '../domain/record.ts';
import type { FeedEntry, FeedPage } from '../store/guild-store.ts';
import { eventsOf, viewOf } from './events.ts';
import { Tail, type TailMember } from './tail.ts';

const EVEN = { id: 0, count: 2 };
const ODD = { id: 1, count: 2 };
const view = viewOf(WATCH_EVENT_TYPES);
const encoding = {
  name: 'ids',
  heartbeat: Buffer.from(''),
  encode: (events: readonly { readonly id: string }[]) => Buffer.from(events.map(({ id }) => id).join()),
};

/** Returns the entry of an erased guild whose id has its revision in the milliseconds: its shard of two is known. */
function entry(revision: number): FeedEntry {
  return { revision, erased: String((300_000_000_000n + BigInt(revision)) << 22n) };
}

function page(revisions: readonly number[], { isLast = true, epoch = 'one' } = {}): FeedPage {
  return { epoch, entries: revisions.map(entry), upTo: revisions.at(-1) ?? 0, isLast };
}

type Waiting = TailMember & {
  readonly received: Buffer[];
  releasedAt: Cursor | undefined;
  onWrite: () => void;
  isFull: boolean;
};

interface MemberOptions {
  readonly shard?: typeof EVEN;
  readonly revision?: number;
  readonly isRegistered?: boolean;
  readonly hasOutlet?: boolean;
}

function member({ shard, revision = 0, isRegistered = false, hasOutlet = true }: MemberOptions = {}): Waiting {
  const received: Buffer[] = [];
  const outlet = { encoding, write: () => true, drained: async () => {} };
  const watch = {
    audience: { shard, view, records: new Records() },
    outlet: hasOutlet ? outlet : undefined,
    isRegistered,
    revision,
    epoch: 'one',
    untilMs: Number.POSITIVE_INFINITY,
    dueAtMs: 2 ** 30,
    received,
    releasedAt: undefined as Cursor | undefined,
    onWrite: () => {},
    isFull: false as boolean,
    receive(bytes: Buffer | undefined, end: Cursor) {
      if (bytes !== undefined) received.push(bytes);
      watch.revision = end.revision;
      watch.onWrite();
      return !watch.isFull;
    },
    release(at: Cursor) {
      watch.releasedAt = at;
    },
  };
  return watch;
}

function startTail(read: (revision: number) => FeedPage | Promise<FeedPage>): Tail & AsyncDisposable {
  const tail = new Tail({ read: async (revision) => read(revision), forgetPages: () => {}, monotonicMs: () => 0 });
  return Object.assign(tail, {
    async [Symbol.asyncDispose]() {
      tail.end();
    },
  });
}

/** Resolves after the turns that 100 watches take. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const textOf = ({ received }: Waiting) => received.map(String);

/** Joins watches to a tail at revision 0, which has nothing to send yet. */
async function join(tail: Tail, ...watches: readonly Waiting[]): Promise<void> {
  for (const watch of watches) expect(tail.join(watch)).toBe(true);
  await settled();
}

describe('the tail of the feed', () => {
  test('sends what was committed while a page was sent afterwards, and every page of many', async () => {
    const pages = [page([]), page([1], { isLast: false }), page([3]), page([4])];
    await using tail = startTail(() => pages.shift() ?? page([4]));
    const watches = Array.from({ length: 100 }, () => member());
    await join(tail, ...watches);
    let isCommitted = false;
    for (const watch of watches) {
      watch.onWrite = () => {
        if (!isCommitted && textOf(watch).includes('one:3')) tail.wake();
        isCommitted ||= textOf(watch).includes('one:3');
      };
    }
    tail.wake();
    await settled();
    await settled();
    expect(new Set(watches.map((watch) => textOf(watch).join()))).toEqual(new Set(['one:1,one:3,one:4']));
  });

  test('refuses a watch that is behind, and moves one that is ahead on to a page of its own', async () => {
    let newest = page([]);
    await using tail = startTail(() => newest);
    const first = member();
    await join(tail, first);
    newest = page([2]);
    tail.wake();
    await settled();
    expect(tail.join(member({ revision: 1 }))).toBe(false);
    newest = page([3, 5]);
    const ahead = member({ revision: 4 });
    expect(tail.join(ahead)).toBe(true);
    await settled();
    expect(textOf(first)).toEqual(['one:2', 'one:3,one:5']);
    // A member may be ahead of the position of its release, and continues from its own revision.
    expect([textOf(ahead), ahead.releasedAt]).toEqual([[], { epoch: 'one', revision: 2 }]);
  });

  test('does not send a page to a watch that has read it, and joins between two turns', async () => {
    let newest = page([]);
    await using tail = startTail(() => newest);
    const watches = Array.from({ length: 100 }, () => member());
    await join(tail, ...watches);
    const joining = member({ revision: 1 });
    const [first] = watches;
    if (first) first.onWrite = () => setImmediate(() => tail.join(joining));
    newest = page([1]);
    tail.wake();
    await settled();
    newest = page([2]);
    tail.wake();
    await settled();
    expect([textOf(joining), joining.releasedAt]).toEqual([['one:2'], undefined]);
  });

  test('releases a watch that reads slowly after what it was sent, and sends it nothing more', async () => {
    let newest = page([]);
    await using tail = startTail(() => newest);
    const [slow, other] = [member(), member()];
    await join(tail, slow, other);
    slow.isFull = true;
    for (const revision of [1, 2]) {
      newest = page([revision]);
      tail.wake();
      await settled();
    }
    expect([textOf(slow), slow.releasedAt]).toEqual([['one:1'], { epoch: 'one', revision: 1 }]);
    expect(textOf(other)).toEqual(['one:1', 'one:2']);
  });

  test('sends nothing to a watch whose reader leaves between two turns', async () => {
    let newest = page([]);
    await using tail = startTail(() => newest);
    const watches = Array.from({ length: 100 }, () => member());
    await join(tail, ...watches);
    const leaving = watches.slice(60, 80);
    const [first] = watches;
    if (first)
      first.onWrite = () =>
        setImmediate(() => {
          for (const watch of leaving) tail.leave(watch);
        });
    newest = page([1]);
    tail.wake();
    await settled();
    expect(watches.filter(({ received }) => received.length === 0)).toEqual(leaving);
  });

  test('lets a turn of the event loop pass before it writes to many watches, and sends first to those that are waited for', async () => {
    let newest = page([]);
    await using tail = startTail(() => newest);
    const order: string[] = [];
    const others = Array.from({ length: 100 }, () => member());
    const registered = member({ isRegistered: true });
    const inProcess = member({ hasOutlet: false });
    await join(tail, ...others, registered, inProcess);
    for (const watch of others) watch.onWrite = () => order.push('other');
    registered.onWrite = () => order.push(inProcess.releasedAt ? 'registered' : 'too early');
    newest = page([1]);
    tail.wake();
    // A response is written after many promises, but without a wait.
    for (let promise = 0; promise < 50; promise += 1) await undefined;
    order.push('response');
    await settled();
    expect(order.slice(0, 3)).toEqual(['registered', 'response', 'other']);
    expect(order).toHaveLength(102);
  });

  test('releases every watch where it was when the page cannot be read, or is of another epoch', async () => {
    for (const read of [() => Promise.reject(new Error('lost')), () => page([2], { epoch: 'two' })]) {
      let isBroken = false;
      await using tail = startTail(() => (isBroken ? read() : page([])));
      const odd = member({ shard: ODD });
      await join(tail, odd);
      isBroken = true;
      tail.wake();
      await settled();
      expect(odd.releasedAt).toEqual({ epoch: 'one', revision: 0 });
    }
  });
});

test('a record is sent as it is, with a language of a later version', () => {
  const guild = {
    id: '300000000000000000',
    name: 'n',
    icon: null,
    settings: { ...DEFAULT_SETTINGS, language: 'fr' as Language },
    access: null,
    presence: 'present',
    leftAt: null,
    logged: { day: 0, bytes: 0 },
    revision: 1,
    accessRevision: 0,
    updatedAt: 0,
    epochs: { record: '', access: '' },
  } as const;
  const audience = { shard: undefined, view, records: new Records() };
  expect([...eventsOf({ entries: [{ revision: 1, guild }] }, audience)]).toMatchObject([{ guild: { language: 'fr' } }]);
});

test('a watcher that does not say what it accepts has all events but those that were added later', () => {
  expect([...view.types].filter((type) => !viewOf(undefined).types.has(type))).toEqual(['declaration']);
});
