import { MANAGE_GUILD } from '@guild-settings/discord-sim/testing/world';
import { repetitions, waitUntil } from '@guild-settings/testing';
import { startApi } from '@guild-settings/testing/api';
import { loggedIn, PAGE_ENV } from '@guild-settings/testing/page-visitor';
import { IDS } from '@guild-settings/testing/people';
import { expect, test } from 'vitest';

const PEOPLE = repetitions(60, 100);
/** As many as the service gives a person. */
const STREAMS = 5;

test(`${PEOPLE * STREAMS} streams of sessions: each receives a change, a logout ends those of one session, and a shutdown all others`, async () => {
  await using api = await startApi(PAGE_ENV);
  const ids = Array.from({ length: PEOPLE }, (_, n) => String(600_000_000_000_000_000n + BigInt(n)));
  for (const id of ids) {
    api.discord.world.addUser({ id, username: `person${id}` });
    api.discord.world.addMember(IDS.guild, id, { permissions: MANAGE_GUILD });
  }
  const people = await Promise.all(
    ids.map(async (person) => {
      const browser = await loggedIn(api, { person });
      return { browser, streams: await Promise.all(Array.from({ length: STREAMS }, () => browser.follow())) };
    }),
  );
  const streams = people.flatMap((person) => person.streams);
  const [first] = people as [(typeof people)[0]];
  // A person has five streams at a time, in all of their sessions together.
  const another = await loggedIn(api, { person: first.browser.person });
  expect(await (await another.call('guilds.follow')).text()).toContain('/problems/too-many-streams');
  expect((await first.browser.call('guilds.update', { guild: IDS.guild, prefix: 'many' })).status).toBe(200);
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
  await first.browser.logout();
  await waitUntil(() => ends.over === STREAMS);
  const token = api.tokens.application;
  const watchers = async () => (await api.send('/metrics', { token })).text();
  await waitUntil(async () => (await watchers()).includes(`feed_watchers ${(PEOPLE - 1) * STREAMS}\n`), {
    message: 'the streams of the others alone',
  });
  await api.app.close();
  await Promise.all(streams.map(({ whole }) => whole));
  expect(ends).toStrictEqual({ over: STREAMS, shutdown: (PEOPLE - 1) * STREAMS });
});
