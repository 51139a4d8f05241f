import { expect, test } from 'vitest';
import { type StagedGuild, Staging } from './staging.ts';

const GUILD = '197038439483310086';

const row = (settings: StagedGuild['settings'], place: string): StagedGuild => ({ guild: GUILD, settings, place });

function stagedIn(staging: Staging): StagedGuild[] {
  return [...staging.batches('unknown', { maxGuilds: 10, maxBytes: 1_000 })].flat();
}

test('a later row of a key-value store replaces an earlier one', () => {
  using staging = new Staging();
  staging.add(row({ prefix: '?', beta: true }, 'key a'));
  staging.add(row({ prefix: '#' }, 'key a'));
  expect(stagedIn(staging)).toEqual([row({ prefix: '#', beta: true }, 'key a')]);
});

test('batches hold at most a number of guilds and of bytes, and one guild at least', () => {
  using staging = new Staging();
  const guilds = Array.from({ length: 5 }, (_, index) => String(197038439483310086n + BigInt(index)));
  for (const guild of guilds) staging.add({ guild, settings: { announcement_channel: 'x'.repeat(90) }, place: '' });
  const sizes = (maxGuilds: number, maxBytes: number) =>
    [...staging.batches('unknown', { maxGuilds, maxBytes })].map((batch) => batch.length);
  expect(sizes(2, 10_000)).toEqual([2, 2, 1]);
  expect(sizes(10, 400)).toEqual([2, 2, 1]);
  expect(sizes(10, 1)).toEqual([1, 1, 1, 1, 1]);
  staging.markDifferent(guilds[3] ?? '');
  expect(stagedIn(staging).map(({ guild }) => guild)).toEqual(guilds.toSpliced(3, 1));
});
