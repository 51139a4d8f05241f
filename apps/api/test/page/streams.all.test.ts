import { MANAGE_GUILD } from '@guild-settings/discord-sim/testing/world';
import { repetitions, waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { Browser } from '../src/testing/browser.ts';
import { IDS, startDashboardWorld } from '../src/testing/dashboard-world.ts';
import { openStream } from '../src/testing/open-stream.ts';

const PEOPLE = repetitions(20, 100);
/** As many as the service gives a person. */
const STREAMS = 5;

test(`${PEOPLE * STREAMS} streams of ${PEOPLE} people: each receives a change, a logout ends those of one session, and a shutdown all others`, async () => {
  await using world = await startDashboardWorld();
  const dashboard = await world.start();
  // The events that keep connections open follow this clock.
  const ticking = setInterval(() => {
    world.clock.now += 1_000;
  }, 1_000);
  await using _ = { [Symbol.asyncDispose]: async () => clearInterval(ticking) };
  const ids = Array.from({ length: PEOPLE }, (_, n) => String(600_000_000_000_000_000n + BigInt(n)));
  for (const id of ids) {
    world.discord.world.addUser({ id, username: `person${id}` });
    world.discord.world.addMember(IDS.guild, id, { permissions: MANAGE_GUILD });
  }
  const people = await Promise.all(
    ids.map(async (personId) => {
      const browser = new Browser();
      await dashboard.login(browser, { personId });
      const streams = await Promise.all(Array.from({ length: STREAMS }, () => openStream(dashboard, browser)));
      return { browser, streams };
    }),
  );
  const streams = people.flatMap((person) => person.streams);
  const [first] = people as [(typeof people)[0]];
  await dashboard.call(first.browser, 'guilds.update', { guild: IDS.guild, prefix: 'many' }, { method: 'POST' });
  await waitUntil(() => streams.every((stream) => stream.text().includes('"prefix":"many"')), {
    message: 'the change in every stream',
  });
  const ends = { over: 0, shutdown: 0 };
  for (const { whole } of streams) {
    void whole.then((text) => {
      if (text.includes('/problems/not-authenticated')) ends.over += 1;
      if (text.includes('"reason":"shutdown"')) ends.shutdown += 1;
    });
  }
  await dashboard.visit(first.browser, '/logout', { method: 'POST', body: {} });
  await waitUntil(() => ends.over === STREAMS);
  const metrics = async () => (await dashboard.visit(first.browser, '/metrics')).text();
  await waitUntil(async () => (await metrics()).includes(`dashboard_streams ${(PEOPLE - 1) * STREAMS}\n`), {
    message: 'the streams of the others alone',
  });
  await dashboard.close();
  await Promise.all(streams.map(({ whole }) => whole));
  expect(ends).toStrictEqual({ over: STREAMS, shutdown: (PEOPLE - 1) * STREAMS });
});
