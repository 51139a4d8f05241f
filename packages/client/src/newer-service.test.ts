import type { ServerResponse } from 'node:http';
import { DEFAULT_SETTINGS, WATCH_EVENT_TYPES } from '@guild-settings/contract';
import { DeclaredSettings } from '@guild-settings/contract/settings';
import { serve, stream } from '@guild-settings/testing/client';
import { describe, expect, test } from 'vitest';
import type { WatchedEvent } from './event-stream.ts';
import { type WatchOptions, watch } from './watch.ts';

const EPOCH = '3f0c2a34-0000-4000-8000-000000000000';
const ID = '197038439483310086';
const RECORD = { id: ID, name: 'n', icon: null, ...DEFAULT_SETTINGS };

const send = (response: ServerResponse, data: unknown, id = `${EPOCH}:2`) =>
  response.write(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\nid: ${id}\n\n`);

async function take(count: number, url: string, options: Pick<WatchOptions, 'watcher'> = {}): Promise<WatchedEvent[]> {
  const aborter = new AbortController();
  const events: WatchedEvent[] = [];
  for await (const watched of watch({ ...options, url, token: 'token', signal: aborter.signal })) {
    events.push(watched);
    if (events.length === count) aborter.abort();
  }
  return events;
}

/** Returns the events that a watch yields for the data of one event at revision 2. */
async function received(data: unknown): Promise<WatchedEvent | undefined> {
  await using service = await serve((response) => send(stream(response), data));
  return (await take(1, service.url))[0];
}

const bookmark = { type: 'bookmark', revision: 2 };

describe('a watch of a newer service', () => {
  test('takes records with values, limits and fields that this version does not know as they are', async () => {
    const guild = { ...RECORD, language: 'fr', prefix: 'p'.repeat(50), mood: 'new' };
    const page = { type: 'guilds', revision: 2, guilds: [1, 2].map((revision) => ({ revision, guild })) };
    expect(await received(page)).toEqual({ cursor: { epoch: EPOCH, revision: 2 }, event: page });
  });

  test('skips an event of an unknown type and takes its cursor', async () => {
    expect(await received({ type: 'renamed', revision: 2, guild: ID })).toEqual({
      cursor: { epoch: EPOCH, revision: 2 },
      event: bookmark,
    });
  });

  test('sets a record aside that it cannot read, and takes the others of the page', async () => {
    const guilds = [
      { revision: 1, guild: { ...RECORD, prefix: 5 } },
      { revision: 2, guild: RECORD },
    ];
    expect(await received({ type: 'guilds', revision: 2, guilds })).toEqual({
      cursor: { epoch: EPOCH, revision: 2 },
      event: { type: 'guilds', revision: 2, guilds: [guilds[1]] },
      rejected: [{ guild: ID, revision: 1, reason: 'guild.prefix: expected a string, received 5' }],
    });
  });

  test('names the settings of a kind that it does not know, and those that cannot be read, and has the others', async () => {
    const settings = {
      xpRate: { kind: 'integer', min: 0, max: 9, default: 5 },
      colour: { kind: 'colour', default: '#fff' },
      count: { kind: 'integer', min: 0, max: 9, default: 'five' },
      broken: 7,
    };
    const sent = { type: 'declaration', tag: '1a2b', declaration: { settings, defaults: { prefix: '?', beta: 7 } } };
    const { event } = (await received(sent)) ?? {};
    if (event?.type !== 'declaration') throw new Error(`Expected a declaration, received ${event?.type}`);
    const declared = new DeclaredSettings(event.declaration, event.tag);
    expect([declared.tag, declared.unknown]).toEqual(['1a2b', ['colour', 'count', 'broken']]);
    expect(declared.effective({})).toEqual({ ...DEFAULT_SETTINGS, prefix: '?', custom: { xpRate: 5 } });
  });

  test.each([[{}], [{ declaration: 7 }], [{ declaration: { settings: [], defaults: 'x' }, tag: 7 }]])(
    'takes a declaration that it cannot read, %j, for one without settings',
    async (data) => {
      const declaration = { settings: {}, defaults: {} };
      expect((await received({ type: 'declaration', ...data }))?.event).toEqual({
        type: 'declaration',
        tag: '',
        declaration,
      });
    },
  );

  test('resumes behind the last event before a declaration, which a reset may follow', async () => {
    const declaration = { type: 'declaration', tag: '', declaration: { settings: {}, defaults: {} } };
    await using service = await serve(
      (response) => {
        send(stream(response), declaration, `${EPOCH}:0`);
        setImmediate(() => response.destroy());
      },
      (response) => {
        send(stream(response), { type: 'live' }, `${EPOCH}:7`);
        setImmediate(() => response.destroy());
      },
      (response) => {
        send(stream(response), declaration, 'other:0');
        setImmediate(() => response.destroy());
      },
      (response) => send(stream(response), { type: 'live' }, 'other:1'),
    );
    const cursors = (await take(4, service.url)).map(({ cursor }) => cursor);
    const resumed = { epoch: EPOCH, revision: 7 };
    expect(cursors).toEqual([{ epoch: EPOCH, revision: 0 }, resumed, resumed, { epoch: 'other', revision: 1 }]);
    expect(service.inputs).toMatchObject([{}, {}, { cursor: resumed }, { cursor: resumed }]);
    expect(service.inputs[1]).not.toHaveProperty('cursor');
  });

  test.each<[string, unknown, string | undefined]>([
    ['a record whose `custom` is no object', { type: 'guild', revision: 2, guild: { ...RECORD, custom: 7 } }, ID],
    ['a record whose `unset` is no list', { type: 'guild', revision: 2, guild: RECORD, unset: 'prefix' }, ID],
    ['a record without a field', { type: 'guild', revision: 2, guild: { id: ID } }, ID],
    ['a record without an id', { type: 'guild', revision: 2, guild: { ...RECORD, id: 'x' } }, undefined],
    ['a page that is no list', { type: 'guilds', revision: 2, guilds: {} }, undefined],
    ['an erasure without an id', { type: 'removed', revision: 2, guild: {} }, undefined],
    ['an event without a type', { revision: 2 }, undefined],
    ['data that is not JSON', '{', undefined],
  ])('goes on behind %s', async (_name, data, guild) => {
    expect(await received(data)).toMatchObject({ event: bookmark, rejected: [{ guild, revision: 2 }] });
  });

  test('takes an epoch of any form', async () => {
    const epoch = `v2:${'e'.repeat(100)}`;
    await using service = await serve((response) => send(stream(response), { type: 'live' }, `${epoch}:7`));
    expect(await take(1, service.url)).toEqual([
      { cursor: { epoch, revision: 7 }, event: { type: 'live', revision: 7 } },
    ]);
  });

  test('takes an event whose id it cannot read, and resumes after the last one that it could', async () => {
    await using service = await serve(
      (response) => {
        send(stream(response), { type: 'live' }, `${EPOCH}:7`);
        send(response, { type: 'guild', revision: 8, guild: RECORD }, 'other');
        setImmediate(() => response.destroy());
      },
      (response) => send(stream(response), { type: 'live' }, `${EPOCH}:9`),
    );
    expect((await take(3, service.url)).map(({ cursor }) => cursor.revision)).toEqual([7, 7, 9]);
    expect(service.inputs[1]).toMatchObject({ cursor: { epoch: EPOCH, revision: 7 } });
  });
});

test('a watch lists the types of events that it accepts, and registers its process with each connection', async () => {
  await using service = await serve(
    (response) => {
      send(stream(response), { type: 'live' });
      setImmediate(() => response.destroy());
    },
    (response) => send(stream(response), { type: 'live' }),
  );
  const names = ['first', 'second'];
  const watcher = () => ({
    id: 'watcher-1',
    name: names.shift() ?? '',
    shards: [0, 1].map((id) => ({ id, count: 2 })),
  });
  await take(2, service.url, { watcher });
  const sent = { id: 'watcher-1', shards: [{ ids: [0, 1], count: 2 }] };
  expect(service.inputs).toEqual([
    { accepts: WATCH_EVENT_TYPES, watcher: { ...sent, name: 'first' } },
    { accepts: WATCH_EVENT_TYPES, watcher: { ...sent, name: 'second' }, cursor: { epoch: EPOCH, revision: 2 } },
  ]);
});
