import type { ReceivedArrival } from '@guild-settings/client';
import { DEFAULT_SETTINGS, LANGUAGES, LIMITS } from '@guild-settings/contract';
import { SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import type { Invocation } from '@guild-settings/discord/framework';
import { COMMANDS, deliveryDesk, invocationIn, NOON } from '@guild-settings/testing/bot';
import { describe, expect, test } from 'vitest';
import { access } from '../../../../packages/discord/src/commands/access.ts';
import { set } from '../../../../packages/discord/src/commands/set.ts';
import { MAX_REMINDERS } from '../reminders/reminders.ts';
import { about } from './about.ts';
import { list } from './remind/list.ts';
import type { Services } from './services.ts';

/** Discord's limit for a message. */
const LONGEST = 2_000;

/** An invocation with the longest prefix, which makes every name longer. */
function longInvocation(language: (typeof LANGUAGES)[number]): Invocation {
  const usual = invocationIn(language);
  const prefix = '`'.repeat(20);
  const settings = { ...usual.settings, prefix, enabledFeatures: ['reminders'] };
  return { ...usual, prefix, settings, guildId: '18446744073709551615', userId: '18446744073709551615' };
}

describe.each(LANGUAGES)('in %s', (language) => {
  const invocation = longInvocation(language);
  const connection = {
    mention: '<@18446744073709551615>',
    readsMessages: true,
  };

  test('help fits into a message, of all commands and of each', async () => {
    const [help] = COMMANDS;
    const pageOf = (guildId: string) => `https://settings.example/guilds/${guildId}`;
    const services = { connection, pageOf } as unknown as Services;
    for (const command of [undefined, ...COMMANDS.map(({ name }) => name)]) {
      const { content = '' } = (await help?.action?.execute(invocation, () => ({ command }), services)) ?? {};
      expect(content).not.toBe('');
      expect([...content].length).toBeLessThanOrEqual(LONGEST);
    }
  });

  test('the longest access list fits into a message, with every role and user', async () => {
    const entries = Array.from({ length: LIMITS.accessEntries }, (_, index) => ({
      subject: `${index % 2 === 0 ? 'role' : 'user'}:184467440737095516${String(index).padStart(2, '0')}`,
      level: index % 3 === 0 ? ('viewer' as const) : ('editor' as const),
    }));
    const services = {
      access: async () => ({ kind: 'result', result: { entries } }),
      pageOf: (guildId: string) => `https://settings.example/guilds/${guildId}`,
    } as unknown as Services;
    const asked = { ...invocation, trigger: { kind: 'slash', buttonsUntilMs: NOON, isPermitted: true } } as const;
    const { content } = await access.execute(asked, () => ({}), services);
    expect(content.match(/<@&?\d{20}>/g)).toHaveLength(entries.length);
    expect([...content].length).toBeLessThanOrEqual(LONGEST);
  });

  test('the longest list of reminders fits into a message', async () => {
    await using desk = await deliveryDesk();
    const { guildId, userId } = invocation;
    for (let index = 0; index < MAX_REMINDERS; index++) {
      const channelId = '18446744073709551615';
      const reminder = desk.add({ guildId, userId, channelId, text: '🍵'.repeat(1_500), dueAt: NOON + index });
      desk.queue.fail(reminder, index % 2 === 0 ? 'channel-gone' : 'forbidden', NOON);
    }
    const { content } = await list.execute(invocation, () => ({}), { reminders: desk.queue } as unknown as Services);
    expect(content.split('\n')).toHaveLength(MAX_REMINDERS + 1);
    expect([...content].length).toBeLessThanOrEqual(LONGEST);
  });
});

const BETA = SPECIFIED_SETTINGS.byField.get('beta');
const MANAGER = { ...invocationIn('en-US'), permissions: 1n << 5n };

/** Returns the lines of `settings set` after the one about the change, for a given arrival. */
async function saidAfter(arrival: ReceivedArrival | undefined): Promise<readonly string[]> {
  const change = async () => ({
    kind: 'changed',
    before: DEFAULT_SETTINGS,
    after: { ...DEFAULT_SETTINGS, beta: true },
    arrival,
  });
  const services = { settings: { change } } as unknown as Services;
  const { content } = await set.execute(MANAGER, () => ({ setting: BETA, value: 'on' }), services);
  const [changed, ...lines] = content.split('\n');
  expect(changed).toMatch(/beta/);
  return lines;
}

test.each<[string, ReceivedArrival | undefined, readonly string[]]>([
  ['is live', { state: 'live', latencyMs: 12 }, ['Live on this server after 12 ms.']],
  ['is live, since an unknown time', { state: 'live' }, []],
  [
    'is live where processes are connected',
    { state: 'live', latencyMs: 12, processes: 3, away: 1 },
    ['Live in 3 processes; 1 is not connected.'],
  ],
  ['is pending', { state: 'pending' }, ['Saved. It is not live everywhere yet.']],
  ['is away', { state: 'away' }, ['Saved. It is not live everywhere yet.']],
  ['is in a state of a newer service', { state: 'asleep' }, ['Saved. It is not live everywhere yet.']],
  ['was made at a service that does not know it', undefined, []],
])('settings set says of a change that %s whether it is in use', async (_, arrival, lines) => {
  expect(await saidAfter(arrival)).toEqual(lines);
});

test.each([
  [12.4, ['Changes are live here after 12 ms.']],
  [Number.NaN, []],
])('about shows how long this process took for the last change: %s ms', async (arrivalMs, lines) => {
  const connection = { readsMessages: true };
  const shards = { guilds: 1, shardOf: () => ({ id: 0, count: 1 }) };
  const replica = { status: { state: 'LIVE' }, metrics: { revision: 7, arrivalMs } };
  const services = { connection, replica, shards } as unknown as Services;
  const { content = '' } = (await about.action?.execute(MANAGER, () => ({}), services)) ?? {};
  expect(content.split('\n').slice(3)).toEqual(lines);
});
