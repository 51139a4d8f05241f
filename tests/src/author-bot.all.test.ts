import { fileURLToPath } from 'node:url';
import { settingsCommandData } from '@guild-settings/discord';
import type { SlashHandle } from '@guild-settings/discord-sim';
import { APPLICATION, BOT, GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { startProgram, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import type { AuthorBotOptions } from './testing/author-bot.ts';
import { deployCommands } from './testing/author-bot.ts';
import { type RestartableApi, startRestartableApi } from './testing/restartable-api.ts';
import { buttonsOf } from './testing/settings-desk.ts';

const { manager, owner } = PEOPLE;

async function authorWorld() {
  const api = await startRestartableApi();
  const folder = temporaryFolder();
  const { discord } = api;
  return {
    api,
    discord,
    optionsOf: (name: string): AuthorBotOptions => ({
      serviceUrl: api.url,
      serviceToken: tokenOf('application'),
      discordUrl: discord.apiUrl.replace(/\/v10$/, ''),
      botToken: BOT.token,
      path: `${folder.path}/${name}.db`,
    }),
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const AUTHOR_BOT = new URL('./testing/author-bot-program.ts', import.meta.url);
const SAPPHIRE_BOT = new URL('./testing/sapphire-bot-program.ts', import.meta.url);

const startBot = (program: URL, options: object) =>
  startProgram({ args: [fileURLToPath(program)], env: { OPTIONS: JSON.stringify(options) } });

const namesIn = ({ discord }: Pick<RestartableApi, 'discord'>) =>
  discord.world.commandsOf(APPLICATION.id).map(({ name }) => name);

const hasBoth = (api: RestartableApi) =>
  waitUntil(() => namesIn(api).toSorted().join() === 'rank,settings', { message: 'both commands' });

const callbacksOf = ({ discord }: Pick<RestartableApi, 'discord'>, { id }: SlashHandle) =>
  discord.calls.list().filter(({ path }) => path.startsWith(`/interactions/${id}/`));

test('two shards in two processes register each command once, answer everything once, and end by themselves', async () => {
  await using world = await authorWorld();
  const { api, discord, optionsOf } = world;
  const { people, messages } = discord;
  await deployCommands(optionsOf(''), APPLICATION.id);
  const [zero, one] = [0, 1].map((id) =>
    startBot(AUTHOR_BOT, {
      ...optionsOf(`shard-${id}`),
      shard: { id, count: 2 },
      settings: { prefix: true },
    }),
  );
  if (!zero || !one) throw new Error('Expected two processes');
  await using _zero = zero;
  await using _one = one;
  await Promise.all([zero.waitForOutput(/^ready$/m), one.waitForOutput(/^ready$/m)]);
  await hasBoth(api);
  const shardOf = (guildId: string) => Number((BigInt(guildId) >> 22n) % 2n);
  expect(new Set(GUILDS.map(({ id }) => shardOf(id)))).toEqual(new Set([0, 1]));

  for (const { channels } of GUILDS) {
    const uses: SlashHandle[] = [];
    const use = (handle: SlashHandle) => {
      uses.push(handle);
      return handle;
    };
    const slash = (command: string, values = {}) => use(people.slash(owner.id, channels.general, command, values));
    expect((await slash('rank').reply()).content).toBe('You are first.');
    const opened = slash('settings set', { setting: 'prefix' });
    await opened.modal();
    expect((await use(people.submit(owner.id, opened.id, { value: '?' })).reply()).content).toContain('`!` → `?`');
    const question = await slash('settings undo').reply();
    use(people.press(owner.id, question.id, buttonsOf(question).get('Undo') ?? ''));
    await messages.waitFor(({ id, content }) => id === question.id && content !== question.content);
    const message = people.sendMessage(owner.id, channels.general, `<@${BOT.userId}> settings show`);
    await messages.waitFor(({ replyTo }) => replyTo === message.id);
    for (const each of uses) expect(callbacksOf(api, each), each.id).toMatchObject([{ status: 204 }]);
  }
  expect(await Promise.all([zero.end('SIGTERM'), one.end('SIGTERM')])).toMatchObject([{ code: 0 }, { code: 0 }]);
  const answers = messages.all().filter(({ authorId, interactionId }) => authorId === BOT.userId && !interactionId);
  expect(answers).toHaveLength(GUILDS.length);
  expect(namesIn(api).toSorted()).toEqual(['rank', 'settings']);
  expect([zero.stderr(), one.stderr()]).toEqual(['', '']);
});

test.each([
  ['in its default mode, without anything else', { overwrites: false, lists: false }],
  ['that overwrites all commands, with the data in its registry', { overwrites: true, lists: true }],
])('a bot of Sapphire %s has both commands, and answers each once', async (_name, mode) => {
  await using world = await authorWorld();
  const { api, discord, optionsOf } = world;
  const { people, messages } = discord;
  const [{ channels }] = GUILDS;
  await using bot = startBot(SAPPHIRE_BOT, { ...optionsOf('sapphire'), ...mode });
  await bot.waitForOutput(/^ready$/m);
  await bot.waitForOutput(/^registered$/m);
  await hasBoth(api);
  const [settings] = discord.world.commandsOf(APPLICATION.id).filter(({ name }) => name === 'settings');
  const { default_member_permissions, contexts, integration_types } = settingsCommandData();
  expect(settings).toMatchObject({ default_member_permissions, contexts, integration_types });

  const uses: SlashHandle[] = [];
  const use = (handle: SlashHandle) => {
    uses.push(handle);
    return handle;
  };
  const slash = (command: string, values = {}) => use(people.slash(manager.id, channels.general, command, values));
  expect((await slash('rank').reply()).content).toBe('You are first.');
  const typed = use(people.type(manager.id, channels.general, 'settings set', { setting: 'pre' }, 'setting'));
  expect(await typed.suggestions()).toMatchObject([{ value: 'prefix' }]);
  const opened = slash('settings set', { setting: 'prefix' });
  await opened.modal();
  expect((await use(people.submit(manager.id, opened.id, { value: '?' })).reply()).content).toContain('`!` → `?`');
  const question = await slash('settings undo').reply();
  use(people.press(manager.id, question.id, buttonsOf(question).get('Undo') ?? ''));
  await messages.waitFor(({ id, content }) => id === question.id && content !== question.content);
  expect(await bot.end('SIGTERM')).toMatchObject({ code: 0 });
  for (const each of uses) expect(callbacksOf(api, each), each.id).toMatchObject([{ status: 204 }]);
  expect(messages.all().filter(({ content }) => content.startsWith('Unknown'))).toEqual([]);
  expect(namesIn(api).toSorted()).toEqual(['rank', 'settings']);
  expect(bot.stdout()).not.toContain('Error');
  expect(bot.stderr()).toBe('');
});
