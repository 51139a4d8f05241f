import { createGuildSettingsClient } from '@guild-settings/client';
import { APPLICATION, BOT, GUILDS, PEOPLE, startWorld, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { apiUrlOf, healthUrlOf, startService } from '@guild-settings/sandbox';
import { steppedClock, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { botEnvironment } from './testing/test-bot.ts';

const HOUR = 3_600_000;
const MONTH = 30 * 24 * HOUR;
const [{ id: guild, channels }] = GUILDS;
const channel = channels.general;
const { manager, member, owner } = PEOPLE;

/** The clock's offset after each step: an hour ahead, an hour back, 30 days ahead, 30 days back. */
const OFFSETS = [HOUR, 0, MONTH, 0];

test("a step of a live bot's clock stopped replies and reminders for as long", async () => {
  using folder = temporaryFolder();
  // A low rate of posts, so that the bot waits for Discord's limit when the clock is set.
  await using discord = await startWorld({ rateLimit: { limit: 5, windowMs: 1_000 } });
  const { people, messages, calls } = discord;
  await using api = startService('api', {
    PORT: '0',
    DATABASE_URL: `file:${folder.path}/api.db`,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    RATE_LIMIT_PER_MINUTE: '0',
  });
  const apiUrl = await apiUrlOf(api);
  const settings = createGuildSettingsClient({ url: apiUrl, token: tokenOf('application') });
  using clock = steppedClock();
  const env = botEnvironment({ apiUrl, discord, path: `${folder.path}/bot.db` });
  await using bot = startService('bot', { ...env, LOG_LEVEL: 'info' }, clock.nodeArguments);
  const health = await healthUrlOf(bot);
  await settings.guilds.update.mutate({ guild, enabledFeatures: ['reminders'] });
  const metric = async (name: string) => {
    const text = await (await fetch(`${health}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };
  await waitUntil(
    async () => (await metric('bot_replica_revision')) > 0 && (await metric('bot_replica_age_seconds')) === 0,
    { message: 'live' },
  );
  const tokenRequests = calls.count({ path: '/oauth2/token' });
  const reconnects = await metric('bot_replica_reconnects_total');

  for (const [step, offset] of OFFSETS.entries()) {
    const command = ['ping', 'about', 'help', 'help ping'][step];
    const crowd = [manager, member, owner].flatMap((person) => [person, person, person, person]);
    const said = crowd.map(({ id }) => people.sendMessage(id, channel, `!${command}`).id);
    const replies = () =>
      messages.in(channel).filter(({ replyTo }) => replyTo !== null && said.includes(replyTo)).length;
    // A pause with replies pending: the bot waits for Discord's limit.
    let seen = 0;
    await waitUntil(
      async () => {
        seen = replies();
        await new Promise((resolve) => setTimeout(resolve, 200));
        return seen > 0 && replies() === seen;
      },
      { message: 'the limit to be reached' },
    );
    expect(seen).toBeLessThan(said.length);
    clock.step(offset, bot.pid);
    await waitUntil(() => bot.output().split('\nclock ').length === step + 2, { message: 'the step' });

    const cpu = await metric('process_cpu_seconds_total');
    const since = performance.now();
    const asked = people.sendMessage(member.id, channel, `!remind add 1s tea ${step}`);
    await messages.waitFor(({ replyTo }) => replyTo === asked.id);
    await messages.waitFor(({ content, authorId }) => authorId === BOT.userId && content.endsWith(`\ntea ${step}`));
    const before = await metric('bot_replica_revision');
    await settings.guilds.update.mutate({ guild, announcement_channel: `step ${step}` });
    await waitUntil(async () => (await metric('bot_replica_revision')) > before, { message: 'the change' });
    expect(await metric('bot_replica_age_seconds')).toBe(0);
    // CPU time of less than half of the duration shows that the bot does not poll in a loop.
    const share = ((await metric('process_cpu_seconds_total')) - cpu) / ((performance.now() - since) / 1_000);
    expect(share).toBeLessThan(0.5);
  }
  expect(await metric('bot_replica_reconnects_total')).toBe(reconnects);
  expect(calls.count({ path: '/oauth2/token' })).toBe(tokenRequests);
});
