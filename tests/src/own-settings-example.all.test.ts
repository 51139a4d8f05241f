import { fileURLToPath } from 'node:url';
import { APPLICATION, BOT, GUILDS, PEOPLE, startWorld } from '@guild-settings/discord-sim/testing/world';
import { startProgram, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { PermissionFlagsBits } from 'discord.js';
import { expect, test } from 'vitest';
import { callApi } from './testing/call-api.ts';

const START = fileURLToPath(new URL('../../apps/sandbox/dist/main.js', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('../../examples/own-settings', import.meta.url));
const [{ id: guild, channels }] = GUILDS;
const { manager, member } = PEOPLE;
const [NEWCOMER, LISTENER, BOTS, DELETED, MUTED] = [1, 2, 3, 4, 5].map((last) => `210000000000000000${last}`) as [
  string,
  string,
  string,
  string,
  string,
];

/** Starts the service like `npx --yes pnpm@12 start`, with another Discord and the example's declaration. */
async function startService(folder: string, discordApiUrl: string, port = '0') {
  const env = {
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_API_URL: discordApiUrl,
    SETTINGS_FILE: `${EXAMPLE}/settings.ts`,
    PORT: port,
  };
  const service = startProgram({ args: [START, '--json'], cwd: folder, env });
  const [line] = await service.waitForOutput(/\{.*\}\n/);
  return { ...service, url: JSON.parse(line).api as string };
}

test('the bot with settings of its own welcomes members, posts changes with author and difference, and reports its guilds', async () => {
  using folder = temporaryFolder();
  await using discord = await startWorld();
  const { world, messages, people } = discord;
  for (const id of [NEWCOMER, LISTENER, MUTED]) world.addRole({ id, guildId: guild, name: id });
  const { EmbedLinks, ManageRoles } = PermissionFlagsBits;
  world.addRole({ id: BOTS, guildId: guild, name: 'Bots', permissions: EmbedLinks | ManageRoles });
  world.setMemberRoles(guild, BOT.userId, [BOTS]);
  await using service = await startService(folder.path, discord.apiUrl);
  const call = (method: string, path = '', body?: object) =>
    callApi(service.url, 'manager', { method, path: `/guilds/${guild}${path}`, ...(body && { body }) });
  const change = (body: object) => call('PATCH', '', body);
  const startBot = () =>
    startProgram({
      args: ['--enable-source-maps', `${EXAMPLE}/dist/bot.js`],
      cwd: folder.path,
      env: {
        API_URL: service.url,
        DISCORD_API_URL: discord.apiUrl,
        DISCORD_APPLICATION_ID: APPLICATION.id,
        DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
        DISCORD_BOT_TOKEN: BOT.token,
      },
    });
  // A change before the first start of the bot is not posted.
  await change({ custom: { modLogChannel: channels.general, volume: 55 } });
  await using bot = startBot();
  const has = async (path: string, found: string) => (await (await call('GET', path)).text()).includes(found);
  await waitUntil(() => has('', `"name":"${GUILDS[0].name}"`), { message: 'the report of the guilds' });
  await waitUntil(() => has('/arrival', '"state":"live"'), { message: 'the settings in the bot' });
  let joined = 0;
  const join = () => {
    joined += 1;
    const id = `220000000000000000${joined}`;
    world.addUser({ id, username: `newcomer-${joined}` });
    world.addMember(guild, id, { permissions: 0n });
    return id;
  };
  const postedIn = (channel: string, text: string) =>
    messages.waitFor(({ channelId, content }) => channelId === channel && content.includes(text));
  const rolesOf = (user: string) => world.membersOf(guild).find(({ userId }) => userId === user)?.roleIds;

  // Without a log channel, changes are not posted, not even when one is chosen later.
  for (const custom of [{ modLogChannel: '' }, { volume: 60 }, { modLogChannel: channels.general }])
    await change({ custom });
  expect(await postedIn(channels.general, 'Mod log')).toMatchObject({
    content: expect.stringMatching(
      new RegExp(`^\\*\\*#\\d+\\*\\* · <@${manager.id}> · .+\\n- \\*\\*Mod log\\*\\*: – → <#${channels.general}>$`),
    ),
    mentions: [],
  });
  const custom = {
    welcomeOn: true,
    welcomeChannel: channels.announcements,
    welcomeMessage: '**Hi** {user},\n@everyone <@&1> greets {user} on {server}',
    autoRoles: [NEWCOMER, DELETED, LISTENER],
    levelsOn: true,
    xpRate: 9.5,
    xpCooldown: 0,
    muteRole: MUTED,
    warnThresholds: [{ warns: 2, action: 'mute', minutes: 60 }],
    spam: 'delete',
    blockedWords: ['`a`', '<@53908099506183680>'],
    volume: 80,
  };
  await change({ prefix: '%', custom });
  const logged = await postedIn(channels.general, 'Volume');
  expect(logged.content.split('\n').slice(1)).toEqual([
    '- **Prefix**: \\? → \\%',
    '- **Welcome new members**: off → on',
    `- **Welcome channel**: – → <#${channels.announcements}>`,
    '- **Welcome message**: Welcome to \\{server\\}\\, \\{user\\}\\! → \\*\\*Hi\\*\\* \\{user\\}\\, \\@everyone \\<\\@\\&1\\> greets \\{user\\} on \\{server\\}',
    `- **Auto roles**: – → <@&${NEWCOMER}>, <@&${DELETED}>, <@&${LISTENER}>`,
    '- **XP for messages**: off → on',
    '- **XP rate**: 1 × → 9\\.5 ×',
    '- **XP cooldown**: 60 s → 0 s',
    `- **Mute role**: – → <@&${MUTED}>`,
    '- **Warn thresholds**: – → (2 · Mute · 60)',
    '- **Spam**: Warn → Delete and warn',
    '- **Blocked words**: – → \\`a\\`, \\<\\@53908099506183680\\>',
    '- **Volume**: 60 \\% → 80 \\%',
  ]);
  expect(logged.mentions).toEqual([]);
  expect(messages.in(channels.general)).toHaveLength(2);

  const expectWelcome = async () => {
    const user = join();
    const welcome = await postedIn(channels.announcements, user);
    expect(welcome).toMatchObject({
      content: `**Hi** <@${user}>,\n@everyone <@&1> greets <@${user}> on ${GUILDS[0].name}`,
      allowedMentions: { parse: [], users: [user] },
    });
    expect(rolesOf(user)).toEqual([NEWCOMER, LISTENER]);
  };
  await expectWelcome();

  // 95 XP for the first message, and a level with the second one.
  for (const content of ['one', 'two `a`', 'three `A`']) people.sendMessage(member.id, channels.general, content);
  expect((await messages.waitFor(({ embeds }) => embeds.length > 0)).embeds).toMatchObject([
    { description: `<@${member.id}> is now level 1!`, color: 0x58_65_f2 },
  ]);
  await waitUntil(() => rolesOf(member.id)?.includes(MUTED) === true, { message: 'the mute of the second warning' });

  // The bot has its settings while the service is unavailable.
  await service.end('SIGKILL');
  await expectWelcome();
  await using _restarted = await startService(folder.path, discord.apiUrl, new URL(service.url).port);
  expect(await bot.end('SIGTERM')).toEqual({ code: 0, signal: null });

  // A change while the bot was stopped is posted.
  for (const volume of [52, 53]) await change({ custom: { volume } });
  await using again = startBot();
  for (const volume of [52, 53]) await postedIn(channels.general, `→ ${volume} `);
  expect(await again.end('SIGTERM')).toEqual({ code: 0, signal: null });
});
