import { writeFileSync } from 'node:fs';
import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { temporaryFile } from '@guild-settings/testing';
import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import { LONE_STATES, OWN_SETTINGS, reachOwnSettings, reachState } from './testing/dashboard-states.ts';
import { startDashboardWorld, test as worldTest } from './testing/dashboard-world.ts';
import { expectOperable, expectReadable } from './testing/looks.ts';
import { Stage } from './testing/stage.ts';

const LONG_NAME = 'A guild whose name is as long as Discord allows it to be, that is one hundred characters';

// Complete texts, without keys or English in another language, and without axe findings. Other browser tests end with
// axe.
describe.skipIf(!HAS_BROWSER)('the dashboard is readable and operable by everybody', () => {
  worldTest('with all names that it may have to show', async ({ world }) => {
    for (const [index, name] of [
      'Café Olé',
      LONG_NAME,
      ...Array.from({ length: 8 }, (_, at) => `Guild ${at}`),
    ].entries())
      world.discord.world.addGuild({
        id: String(910_000_000_000_000_000n + BigInt(index)),
        name,
        ownerId: PEOPLE.member.id,
      });
    await using stage = new Stage(world, PEOPLE);
    await expectAll(await reachState(stage, 'list of many'));
  });

  worldTest.for(LONE_STATES.filter((name) => name !== 'list of many'))('%s', async (name, { world }) => {
    await using stage = new Stage(world, PEOPLE);
    await expectAll(await reachState(stage, name));
    await stage.leave();
  });

  test('settings of a team, changed', async () => {
    using file = temporaryFile('settings.json');
    writeFileSync(file.path, JSON.stringify(OWN_SETTINGS));
    const links = { SUPPORT_URL: 'https://bot.example/help', PRIVACY_URL: 'https://bot.example/privacy' };
    await using world = await startDashboardWorld({ SETTINGS_FILE: file.path, ...links });
    await using stage = new Stage(world, PEOPLE);
    await expectAll(await reachOwnSettings(stage));
  });
});

async function expectAll(page: Page): Promise<void> {
  await expectReadable(page);
  await expectOperable(page);
}
