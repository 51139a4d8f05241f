import { fileURLToPath } from 'node:url';
import { createGuildSettingsClient } from '@guild-settings/client';
import { APPLICATION, BOT, GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { startProgram, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { startRestartableApi } from './testing/restartable-api.ts';

const EXAMPLE = fileURLToPath(new URL('../../packages/replica/examples/bot.js', import.meta.url));
const [{ id: guild, channels }] = GUILDS;

test("the replica's example answers by the settings, and announces a change of the prefix", async () => {
  using folder = temporaryFolder();
  await using api = await startRestartableApi();
  const { people, messages, gateway, apiUrl } = api.discord;
  const bot = startProgram({
    args: [EXAMPLE],
    cwd: folder.path,
    env: {
      API_URL: api.url,
      DISCORD_API_URL: apiUrl,
      DISCORD_APPLICATION_ID: APPLICATION.id,
      DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
      DISCORD_BOT_TOKEN: BOT.token,
    },
  });
  try {
    await waitUntil(() => gateway.sessions().some(({ connected }) => connected), { message: 'the bot to connect' });
    const isAnswered = async (text: string) => {
      const { id } = people.sendMessage(PEOPLE.owner.id, channels.general, text);
      const reply = await messages
        .waitFor(({ replyTo }) => replyTo === id, { timeoutMs: 1_000 })
        .catch(() => undefined);
      return reply?.content === 'Hello in ru!';
    };
    const settings = createGuildSettingsClient({ url: api.url, token: tokenOf('application') });
    await settings.guilds.update.mutate({ guild, announcement_channel: channels.general, language: 'ru' });
    await waitUntil(() => isAnswered('!hello'), { message: 'an answer in the language of the guild' });
    await settings.guilds.update.mutate({ guild, prefix: '?' });
    await messages.waitFor(({ content }) => content === 'The prefix is now ?');
    const [ignored, answered] = ['!hello', '?hello'].map(
      (text) => people.sendMessage(PEOPLE.owner.id, channels.general, text).id,
    );
    expect(await messages.waitFor(({ replyTo }) => replyTo === answered)).toMatchObject({ content: 'Hello in ru!' });
    expect(messages.all().filter(({ replyTo }) => replyTo === ignored)).toEqual([]);
  } finally {
    expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });
  }
});
