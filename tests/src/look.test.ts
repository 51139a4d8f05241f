import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { startDashboardWorld } from './testing/dashboard-world.ts';
import { EVERY_KIND } from './testing/own-settings.ts';
import { SettingsPage } from './testing/settings-page.ts';

test('look', async () => {
  writeFileSync('/tmp/own.json', JSON.stringify(EVERY_KIND));
  await using world = await startDashboardWorld({ SETTINGS_FILE: '/tmp/own.json' });
  const guild = await world.addGuild('Look');
  for (const [name, options] of [
    ['wide', { viewport: { width: 1280, height: 800 } }],
    ['phone', { viewport: { width: 360, height: 740 } }],
    ['dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
  ] as const) {
    const settings = new SettingsPage(await world.open(guild.manager, guild.path, options));
    settings.page.on('console', (m) => console.log(m.text()));
    settings.page.on('pageerror', (m) => console.log(m.stack));
    try {
      await settings.live();
      await settings.page.getByLabel('Experience rate').fill('x7');
    } catch (e) {
      console.log(String(e));
    }
    await settings.page.screenshot({ path: `/tmp/look-${name}.png`, fullPage: true });
  }
}, 120_000);
