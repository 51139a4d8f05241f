import type { ReceivedArrival } from '@guild-settings/client';
import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import { SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { invocationIn } from '@guild-settings/testing/bot';
import { expect, test } from 'vitest';
import type { Services } from '../framework/command.ts';
import { about } from './about.ts';
import { set } from './settings/set.ts';

const BETA = SPECIFIED_SETTINGS.byField.get('beta');
const MANAGER = { ...invocationIn('en-US'), permissions: 1n << 5n };

/** Returns what `settings set` says of a change with this arrival, after the line about the change. */
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
  const connection = { guilds: 1, readsMessages: true, shardOf: () => ({ id: 0, count: 1 }) };
  const replica = { status: { state: 'LIVE' }, metrics: { revision: 7, arrivalMs } };
  const services = { connection, replica } as unknown as Services;
  const { content = '' } = (await about.action?.execute(MANAGER, () => ({}), services)) ?? {};
  expect(content.split('\n').slice(3)).toEqual(lines);
});
