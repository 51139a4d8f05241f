import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import { temporaryFile } from '@guild-settings/testing';
import { eventsOf, followedReplica } from '@guild-settings/testing/replica';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

const A = '197038439483310086';
const B = '197038439483310087';
const NONE = '197038439483310088';
const { declaration, reset, guild, set, removed, live, bookmark } = eventsOf('one');

const label = { 'en-US': 'x' };
const bot = defineSettings({
  settings: {
    xpRate: { kind: 'integer', min: 0, max: 100, default: 5, label },
    autoRoles: { kind: 'role', many: { max: 10 }, label },
    logLevel: { kind: 'choice', choices: { off: {}, all: {} }, default: 'off', label },
  },
  defaults: { prefix: '?' },
});
const { xpRate, autoRoles, logLevel } = bot.settings;
const custom = { xpRate: 5, autoRoles: [], logLevel: 'off' };

const withDefaults = (rate: number, prefix = '?'): Declaration => ({
  settings: { ...bot.settings, xpRate: { ...xpRate, default: rate } },
  defaults: { prefix },
});

test('has the defaults of the bot before it was connected, and then those of the service', async () => {
  await using there = followedReplica({ settings: bot });
  const { replica } = there;
  expect([replica.get(A), replica.status]).toEqual([
    { ...DEFAULT_SETTINGS, prefix: '?', custom },
    { state: 'SYNCING' },
  ]);
  const events = [
    set(A, 1, { prefix: '!', custom: { autoRoles: ['1'] } }),
    set(B, 2, { custom: { xpRate: 50 } }),
    live(2),
  ];
  await there.send(declaration(withDefaults(7, '#')), reset, ...events);
  expect(replica.get(A)).toMatchObject({ prefix: '!', custom: { xpRate: 7, autoRoles: ['1'], logLevel: 'off' } });
  expect(replica.get(B)).toMatchObject({ prefix: '#', custom: { ...custom, xpRate: 50 } });
  expect(replica.get(NONE)).toEqual({ ...DEFAULT_SETTINGS, prefix: '#', custom: { ...custom, xpRate: 7 } });
  expect(replica.status).toEqual({ state: 'LIVE', differences: [{ name: 'xpRate', why: 'default' }] });
});

test('returns settings that are frozen, with their lists, and the same ones until they change', async () => {
  await using there = followedReplica({ settings: bot });
  await there.send(declaration(bot), reset, set(A, 1, { custom: { autoRoles: ['1'] } }), live(1));
  for (const id of [A, NONE]) {
    const settings = there.replica.get(id);
    const parts = [settings, settings.enabledFeatures, settings.custom, settings.custom.autoRoles];
    expect(parts.map((part) => Object.isFrozen(part))).toEqual([true, true, true, true]);
    expect(there.replica.get(id)).toBe(settings);
  }
  expect(Object.isFrozen(autoRoles.many)).toBe(false);
});

test('has a changed default in use for all guilds after one event, with one notification and no change of a guild', async () => {
  using file = temporaryFile();
  await using there = followedReplica({ settings: bot, path: file.path });
  const { replica } = there;
  const notified: unknown[] = [];
  replica.on('change', (...change) => notified.push(change));
  replica.on('declaration', (declared) => notified.push([declared, replica.get(A).custom.xpRate]));
  await there.send(declaration(bot), reset, set(A, 1, {}), set(B, 2, { custom: { xpRate: 6 } }), live(2));
  expect(notified.splice(0)).toMatchObject([
    [bot, 5],
    [B, { custom: { xpRate: 5 } }, { custom: { xpRate: 6 } }],
  ]);
  const rows = () => {
    const other = new Database(file.path, { readonly: true });
    const all = other.prepare('SELECT * FROM records').all();
    other.close();
    return all;
  };
  const before = rows();
  there.disconnect();
  await there.send(declaration(withDefaults(9, '%')), live(2));
  expect(notified).toEqual([[withDefaults(9, '%'), 9]]);
  expect([A, B, NONE].map((id) => [replica.get(id).prefix, replica.get(id).custom.xpRate])).toEqual([
    ['%', 9],
    ['%', 6],
    ['%', 9],
  ]);
  expect(rows()).toEqual(before);
  there.disconnect();
  await there.send(declaration(withDefaults(9, '%')), live(2), bookmark(2));
  expect(notified).toHaveLength(1);
});

test('emits a change of a declared setting with the values before and after it', async () => {
  await using there = followedReplica({ settings: bot });
  const changes: unknown[] = [];
  there.replica.on('change', (id, before, after) => changes.push([id, before.custom.xpRate, after.custom.xpRate]));
  await there.send(declaration(withDefaults(7)), reset, live(0), set(A, 1, { custom: { xpRate: 8 } }));
  // Setting a value to its default, or a record to its present values, is not a change.
  await there.send(set(B, 2, { custom: { xpRate: 7 } }), set(A, 3, { custom: { xpRate: 8 } }), removed(A, 4));
  expect(changes).toEqual([
    [A, 7, 8],
    [A, 8, 7],
  ]);
});

test('has the declaration and what is set in its file, for a bot that starts without the service', async () => {
  using file = temporaryFile();
  {
    await using there = followedReplica({ settings: bot, path: file.path });
    await there.send(declaration(withDefaults(7, '#')), reset, set(A, 1, { custom: { logLevel: 'all' } }), live(1));
  }
  await using there = followedReplica({ settings: bot, path: file.path });
  expect(there.replica.get(A)).toMatchObject({ prefix: '#', custom: { xpRate: 7, logLevel: 'all' } });
  expect(there.replica.status).toMatchObject({ state: 'STALE', differences: [{ name: 'xpRate', why: 'default' }] });
  const notified: unknown[] = [];
  there.replica.on('declaration', (declared) => notified.push(declared));
  await there.send(declaration(withDefaults(7, '#')), live(1));
  expect([there.cursors, notified]).toEqual([[live(1).cursor], []]);
});

test('has the default of the bot for what the service does not declare, has of another kind, or has a value for that the bot does not know', async () => {
  await using there = followedReplica({ settings: bot });
  const { replica } = there;
  const level = { ...logLevel, choices: { off: {}, all: {}, some: {} }, default: 'some' };
  const rate = { kind: 'colour', default: '#fff', label };
  const settings = { xpRate: rate, logLevel: level, other: { kind: 'switch', label } };
  // A setting of a kind that this version does not know.
  const declared = { settings } as unknown as Declaration;
  const events = [
    set(A, 1, { custom: { logLevel: 'all', autoRoles: ['1'] } }),
    set(B, 2, { custom: { logLevel: 'some' } }),
  ];
  await there.send(declaration(declared), reset, ...events, live(2));
  expect([A, B, NONE].map((id) => replica.get(id).custom)).toEqual([{ ...custom, logLevel: 'all' }, custom, custom]);
  const differences = [
    { name: 'xpRate', why: 'kind' },
    { name: 'autoRoles', why: 'missing' },
    { name: 'logLevel', why: 'default' },
  ];
  expect(replica.status).toEqual({
    state: 'LIVE',
    differences: [...differences, { name: 'logLevel', why: 'value', guild: B }],
  });
  await there.send(set(B, 3, { custom: { logLevel: 'all' } }));
  expect(replica.status).toEqual({ state: 'LIVE', differences });
  there.disconnect();
  const list = { kind: 'choice', choices: { off: {}, all: {} }, many: { max: 2 }, label } as const;
  await there.send(declaration({ settings: { xpRate, autoRoles, logLevel: list } }), live(3));
  expect(replica.get(A).custom).toEqual({ ...custom, autoRoles: ['1'] });
  expect(replica.status).toEqual({ state: 'LIVE', differences: [{ name: 'logLevel', why: 'kind' }] });
});

test('without a declaration of the bot has all that the service declares, of the kinds that this version knows', async () => {
  await using there = followedReplica();
  const settings = { xpRate, colour: { kind: 'colour', label } };
  const events = [set(A, 1, { custom: { xpRate: 6, colour: '#fff' } }), live(1)];
  await there.send(declaration({ settings } as unknown as Declaration), reset, ...events);
  expect([A, NONE].map((id) => there.replica.get(id).custom)).toEqual([{ xpRate: 6 }, { xpRate: 5 }]);
  expect(there.replica.status).toEqual({ state: 'LIVE' });
});

test('has the eight fields and the defaults of the bot with a service that declares nothing', async () => {
  await using there = followedReplica({ settings: bot });
  await there.send(reset, guild(A, 1, '!!'), live(1));
  expect(there.replica.get(A)).toMatchObject({ prefix: '!!', custom });
  expect(there.replica.get(NONE)).toEqual({ ...DEFAULT_SETTINGS, custom });
  const missing = Object.keys(custom).map((name) => ({ name, why: 'missing' }));
  expect(there.replica.status).toEqual({ state: 'LIVE', differences: missing });
});

test('drops the declaration when a stream begins without one, and has the values again when it is back', async () => {
  await using there = followedReplica({ settings: bot });
  const notified: unknown[] = [];
  there.replica.on('declaration', (declared) => notified.push(declared));
  await there.send(declaration(bot), reset, set(A, 1, { custom: { xpRate: 6 } }), live(1));
  there.disconnect();
  await there.send(live(1));
  expect(there.replica.get(A)).toMatchObject({ prefix: '!', custom: { xpRate: 5 } });
  there.disconnect();
  await there.send(declaration(bot), live(1));
  expect(there.replica.get(A)).toMatchObject({ prefix: '?', custom: { xpRate: 6 } });
  expect(notified).toEqual([bot, undefined, bot]);
  expect(there.cursors).toEqual([undefined]);
});

test('fetches all records again at a first declaration, as those that it has do not say what is set', async () => {
  using file = temporaryFile();
  {
    await using there = followedReplica({ settings: bot, path: file.path });
    await there.send(reset, guild(A, 1, '!'), guild(B, 2, '$'), live(2));
  }
  await using there = followedReplica({ settings: bot, path: file.path, holdMs: 60_000 });
  await there.send(declaration(bot), reset, set(A, 1, {}));
  expect([A, B].map((id) => there.replica.get(id).prefix)).toEqual(['!', '$']);
  await there.send(set(B, 2, { prefix: '$', custom: { xpRate: 6 } }), live(2));
  expect([A, B].map((id) => there.replica.get(id))).toMatchObject([
    { prefix: '?', custom: { xpRate: 5 } },
    { prefix: '$', custom: { xpRate: 6 } },
  ]);
  expect(there.cursors).toEqual([live(2).cursor, undefined]);
  expect(there.replica.status).toEqual({ state: 'LIVE' });
});

test('fetches them again after a restart as well, when it was stopped before they had begun to arrive', async () => {
  using file = temporaryFile();
  {
    await using there = followedReplica({ settings: bot, path: file.path });
    await there.send(reset, guild(A, 1, '!'), live(1));
    there.disconnect();
    await there.send(declaration(bot));
    expect(there.cursors).toEqual([undefined, undefined]);
  }
  await using there = followedReplica({ settings: bot, path: file.path });
  expect(there.replica.get(A).prefix).toBe('!');
  await there.send(declaration(bot), reset, set(A, 1, {}), live(1));
  expect(there.cursors).toEqual([undefined]);
  expect(there.replica.get(A).prefix).toBe('?');
});

test('is reported as held back when a reset sets nothing for most guilds that had something set', async () => {
  const held: unknown[] = [];
  await using there = followedReplica({ settings: bot, onHeld: (one) => held.push(one) });
  const [one, two] = [set(A, 1, { custom: { xpRate: 6 } }), set(B, 2, { prefix: '!' })];
  await there.send(declaration(withDefaults(5)), reset, one, two, live(2));
  there.disconnect();
  // A changed default alone is not a loss.
  await there.send(declaration(withDefaults(6, '!')), reset, one, two, live(2));
  expect(held).toEqual([]);
  await there.send(reset, set(A, 1, {}), set(B, 2, {}), live(2));
  expect(held).toEqual([{ epoch: 'one', held: 2, missing: 0, customized: 2, defaulted: 2 }]);
  expect(there.replica.get(A).custom.xpRate).toBe(6);
});

const role = { kind: 'role', label } as const;
/** A renamed setting as sent by the service: under each of its names. */
const renamed: Declaration = { settings: { mutedRole: { ...role, was: 'muteRole' }, muteRole: role } };
const before: Declaration = { settings: { muteRole: role } };
const both = { mutedRole: '2', muteRole: '2' };

test.each<[string, Declaration | undefined, object]>([
  ['that does not know the new name', before, { muteRole: ['1', '1', '2'] }],
  ['that knows both names', { settings: { mutedRole: { ...role, was: 'muteRole' } } }, { mutedRole: ['1', '1', '2'] }],
  ['that knows the new name alone', { settings: { mutedRole: role } }, { mutedRole: ['', '1', '2'] }],
  [
    'that has a later name',
    { settings: { silenced: { ...role, was: ['muteRole', 'mutedRole'] } } },
    { silenced: ['1', '1', '2'] },
  ],
  ['without a declaration', undefined, { muteRole: ['1'], mutedRole: [undefined, '1', '2'] }],
])('a renamed setting keeps its value in a bot %s, also that of records from before', async (_, settings, values) => {
  await using there = followedReplica({ settings });
  const steps = [
    [declaration(before), reset, set(A, 1, { custom: { muteRole: '1' } }), live(1)],
    [declaration(renamed), live(1)],
    [set(A, 2, { custom: both })],
  ];
  for (const [at, events] of steps.entries()) {
    if (at === 1) there.disconnect();
    await there.send(...events);
    const shown = Object.entries(values).flatMap(([name, all]) => (all[at] === undefined ? [] : [[name, all[at]]]));
    expect(there.replica.get(A).custom).toEqual(Object.fromEntries(shown));
  }
});

test('a setting that is wider in the bot, or in the service, keeps the values that fit', async () => {
  const number = { kind: 'number', min: 0, max: 9, decimals: 1, default: 1, label } as const;
  const integer = { kind: 'integer', min: 0, max: 9, default: 1, label } as const;
  const settings = { staff: { ...role, many: { max: 2 } }, rate: number, count: integer, one: role } as const;
  await using there = followedReplica({ settings: { settings } });
  const service: Declaration = { settings: { staff: role, rate: integer, count: number, one: settings.staff } };
  const custom = { staff: '1', rate: 5, count: 5, one: ['1'] };
  await there.send(declaration(service), reset, set(A, 1, { custom }), set(B, 2, { custom: { count: 1.5 } }), live(2));
  expect(there.replica.get(A).custom).toEqual({ staff: ['1'], rate: 5, count: 5, one: '' });
  expect(there.replica.get(B).custom).toEqual({ staff: [], rate: 1, count: 1, one: '' });
  expect(there.replica.status.differences).toEqual([
    { name: 'one', why: 'kind' },
    { name: 'count', why: 'value', guild: B },
  ]);
});

test('the rows of a table are frozen, have a cell for each column of the bot, and choices that it knows', async () => {
  const at = { kind: 'integer', min: 0, max: 9, label } as const;
  const action = { kind: 'choice', choices: { mute: {}, kick: {} }, default: 'mute', label } as const;
  const table = (columns: object) =>
    ({ kind: 'table', max: 3, columns, label }) as NonNullable<Declaration['settings']>[string];
  const settings = {
    warns: table({ at, action }),
    known: table({ at, action }),
    new: table({ at }),
    on: { kind: 'switch', label },
  } as const;
  await using there = followedReplica({ settings: { settings } });
  const service: Declaration = {
    settings: {
      warns: table({ at }),
      known: table({ at, action: { ...action, choices: { mute: {}, ban: {} } } }),
      new: table({ at, when: { kind: 'moon', label } }),
      on: { kind: 'switch', label },
    },
  };
  const custom = { warns: [{ at: 50 }], known: [{ at: 1, action: 'ban' }], new: [{ at: 1, when: 'full' }], on: true };
  await there.send(declaration(service), reset, set(A, 1, { custom }), live(1));
  const { warns, ...others } = there.replica.get(A).custom;
  expect([warns, others]).toEqual([[{ at: 50, action: 'mute' }], { known: [], new: [], on: true }]);
  expect([warns, ...[warns].flat()].every((part) => Object.isFrozen(part))).toBe(true);
  expect(there.replica.status.differences).toEqual([
    { name: 'new', why: 'kind' },
    { name: 'known', why: 'value', guild: A },
  ]);
});
