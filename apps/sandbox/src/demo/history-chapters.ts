import { isDeepStrictEqual } from 'node:util';
import { GUILDS, PEOPLE, type SandboxGuild } from '@guild-settings/discord-sim/testing/world';
import { type DemoUsers, type RequestOptions, UnexpectedResultError } from './users.ts';

const [testers, gamers] = GUILDS as readonly [SandboxGuild, SandboxGuild];

interface Entry {
  readonly revision: number;
  readonly actor: unknown;
  readonly changes: unknown;
  readonly undoes?: number;
}

/** A mistake is found in the history with its author, and undone from the chat. */
export async function undo(users: DemoUsers): Promise<void> {
  await users.changeSettings(testers, { prefix: '%' }, { text: '%ping', shows: 'Pong' });
  const { revision, actor, changes } = await newestEntry(users);
  const [author, difference] = [{ kind: 'user', id: PEOPLE.manager.id }, { prefix: { from: '$', to: '%' } }];
  expectEqual({ actor, changes }, { actor: author, changes: difference });
  await users.sendCommand('manager', testers, '%settings history', `**#${revision}**`, 'from `$` to `%`');
  const question = await users.sendCommand('manager', testers, '/settings undo', 'Undo this change?', '`%` → `$`');
  await users.pressButton('manager', question, 'Undo', `#${revision} was undone`);
  await users.waitForUse(testers, 'undo', { text: '$ping', shows: 'Pong' });
  expectEqual((await newestEntry(users)).undoes, revision);
}

/** All settings are put back to how they were at a revision. */
export async function restore(users: DemoUsers): Promise<void> {
  const { revision } = await newestEntry(users);
  const then = await users.request('manager', 'GET', testers, { status: 200 });
  const patch = { beta: false, enabledFeatures: [] };
  await users.changeSettings(testers, patch, { text: '$remind list', shows: '“Reminders” is off here' });
  const body = { revision };
  const preview = await users.request('manager', 'POST', testers, {
    status: 200,
    subpath: '/restore?dry_run=true',
    body,
  });
  const difference = { beta: { from: false, to: true }, enabledFeatures: { from: [], to: ['reminders'] } };
  expectEqual((preview as { changes: unknown }).changes, difference);
  await users.request('manager', 'POST', testers, { status: 200, subpath: '/restore', body });
  await users.waitForUse(testers, 'restore', { text: '$settings show', shows: '**beta**: on' });
  for (const subpath of ['', `?at=${revision}`]) {
    expectEqual(await users.request('manager', 'GET', testers, { status: 200, subpath }), then);
  }
}

/** Settings leave as a document, and enter another guild. */
export async function transfer(users: DemoUsers): Promise<void> {
  const exported = await users.request('manager', 'GET', testers, { status: 200, subpath: '/export?history=true' });
  const unchanged = { status: 200, subpath: '/import', body: exported as object };
  expectEqual(await changesOf(users, testers, unchanged), {});
  await users.request('member', 'GET', testers, { status: 403, subpath: '/export' });
  const elsewhere = { ...unchanged, subpath: '/import?dry_run=true' };
  expectEqual(Object.keys(await changesOf(users, gamers, elsewhere)), [
    'prefix',
    'beta',
    'language',
    'enabledFeatures',
  ]);
  await users.request('manager', 'POST', gamers, unchanged);
  await users.waitForUse(gamers, 'import', { text: '$ping', shows: 'Pong' });
}

/** The owner erases a guild, which has the defaults then, and no history. */
export async function erase(users: DemoUsers): Promise<void> {
  const { revision } = await newestEntry(users);
  const ifMatch = `"${revision}"`;
  await users.request('manager', 'DELETE', testers, { status: 403, ifMatch });
  await users.request('owner', 'DELETE', testers, { status: 428 });
  await users.request('owner', 'DELETE', testers, { status: 204, ifMatch });
  await users.waitForUse(testers, 'erasure', { text: '!settings show', shows: '**beta**: off' });
  // The bot reports the guild again, which is a change of the platform.
  const changes = { status: 200, subpath: '/history?kind=settings' };
  expectEqual(await users.request('manager', 'GET', testers, changes), { entries: [] });
}

async function changesOf(users: DemoUsers, guild: SandboxGuild, document: RequestOptions): Promise<object> {
  const { changes } = (await users.request('manager', 'POST', guild, document)) as { changes: object };
  return changes;
}

async function newestEntry(users: DemoUsers): Promise<Entry> {
  const newest = { status: 200, subpath: '/history?kind=settings&limit=1' };
  const { entries } = (await users.request('manager', 'GET', testers, newest)) as { entries: readonly Entry[] };
  if (entries[0] === undefined) throw new UnexpectedResultError('Expected an entry in the history, received none');
  return entries[0];
}

function expectEqual(received: unknown, expected: unknown): void {
  if (isDeepStrictEqual(received, expected)) return;
  throw new UnexpectedResultError(`Expected ${JSON.stringify(expected)}, received ${JSON.stringify(received)}`);
}
