import { APPLICATION, BOT } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { Browser } from '../src/testing/browser.ts';
import { startDashboardWorld } from '../src/testing/dashboard-world.ts';

const NAME = 'Melody "the <b>bot</b>" & friends';
const ICON = 'f64c482b807da4f539cff778d174971c';

test('the document has the name and the icon of the bot, literally, and the links of the operator, before anybody logs in', async () => {
  await using world = await startDashboardWorld({ DISCORD_BOT_TOKEN: BOT.token });
  world.discord.world.addApplication({ ...APPLICATION, name: NAME, icon: ICON });
  const links = { SUPPORT_URL: 'https://discord.gg/melody', PRIVACY_URL: 'https://melody.example/privacy?a=1&b=2' };
  const dashboard = await world.start(links);
  const read = async () => (await dashboard.visit(new Browser(), '/', { headers: { accept: 'text/html' } })).text();
  let html = '';
  const hasName = async () => {
    html = await read();
    return html.includes('application-name');
  };
  await waitUntil(hasName, { message: 'the name of the bot' });
  const escaped = 'Melody &#34;the &#60;b&#62;bot&#60;/b&#62;&#34; &#38; friends';
  expect(html).toContain(`<meta name="application-name" content="${escaped}">`);
  expect(html).toContain(`<title>${escaped}</title>`);
  expect(html).toContain(`<meta name="application-icon" content="${APPLICATION.id}/${ICON}">`);
  expect(html).toContain('<meta name="support" content="https://discord.gg/melody">');
  expect(html).toContain('<meta name="privacy" content="https://melody.example/privacy?a=1&#38;b=2">');
  await world.stopApi();
  world.clock.now += 600_000;
  expect(await read()).toBe(html);
  expect(await read()).toBe(html);
});
