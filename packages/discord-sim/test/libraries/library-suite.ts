import { describe, expect, test } from 'vitest';
import type { DiscordSim } from '../../src/sim.ts';
import { BOT_ID, CHANNEL, startBotSim } from '../../src/testing/bot-sim.ts';
import { GUILD, MEMBER, OWNER } from '../../src/testing/populated-sim.ts';

const TEXT = { type: 3 as const, name: 'text', description: 'The text', required: true };

/** The commands of the bots. */
export const COMMANDS = [
  { type: 1 as const, name: 'echo', description: 'Replies with a text', options: [TEXT] },
  { type: 1 as const, name: 'later', description: 'Defers, then replies with a text twice', options: [TEXT] },
];

/**
 * A connected bot that is built with some library. It replies to each message of a user with `heard <content>`, and to the
 * command `echo` with the value of its option. The command `later` it defers; then it edits the response to be the value, and
 * follows up with `<value> again`.
 */
export interface LibraryBot extends AsyncDisposable {
  /** The guild as the library has it; `null` when it has not received it. */
  guild(id: string): { readonly name: string; readonly channels: readonly string[] } | null;
  /** The number of acknowledged heartbeats, or the time of the last one. */
  heartbeats(): number;
  /** Registers the commands by the library's REST client. */
  register(): Promise<void>;
  /** Requests a user who is not in any cache. */
  userName(id: string): Promise<string>;
}

/** Libraries pause before they connect again. */
const WAIT = { timeoutMs: 15_000 };

/** Starts a bot with the intents for guilds, members, messages and their content, and resolves once it is ready. */
export type StartBot = (discord: DiscordSim) => Promise<LibraryBot>;

/** The same tests for each library: it connects, receives, answers and resumes. */
export function testLibrary(name: string, start: StartBot): void {
  /** Says something as a user, and resolves with the bot's reply. */
  const converse = async (discord: DiscordSim, content: string): Promise<string> => {
    const said = discord.people.sendMessage(MEMBER.id, CHANNEL.id, content);
    const reply = await discord.messages.waitFor(({ authorId }) => authorId === BOT_ID, {
      after: said.id,
      ...WAIT,
    });
    return reply.content;
  };

  describe(name, () => {
    test('connects, receives its guild, and sends heartbeats', async () => {
      await using discord = await startBotSim();
      await using bot = await start(discord);
      await expect.poll(() => bot.guild(GUILD.id)).toStrictEqual({ name: GUILD.name, channels: [CHANNEL.name] });
      discord.gateway.requestHeartbeats();
      await expect.poll(bot.heartbeats).toBeGreaterThan(0);
      expect(await bot.userName(OWNER.id)).toBe(OWNER.username);
    });

    test('receives messages, and answers them and commands, also later', async () => {
      await using discord = await startBotSim();
      await using bot = await start(discord);
      expect(await converse(discord, 'tea')).toBe('heard tea');
      await bot.register();
      const { content } = await discord.people.slash(MEMBER.id, CHANNEL.id, 'echo', { text: 'coffee' }).reply(WAIT);
      expect(content).toBe('coffee');
      const later = discord.people.slash(MEMBER.id, CHANNEL.id, 'later', { text: 'milk' });
      const contents = () => later.messages().map((message) => message.content);
      await expect.poll(contents, { timeout: WAIT.timeoutMs }).toStrictEqual(['milk', 'milk again']);
    });

    test('resumes after its connection broke, and receives what it missed', async () => {
      await using discord = await startBotSim();
      await using _bot = await start(discord);
      const [before] = discord.gateway.sessions();
      discord.gateway.dropAll();
      expect(await converse(discord, 'while you were away')).toBe('heard while you were away');
      expect(discord.gateway.sessions()).toMatchObject([{ id: before?.id, connected: true }]);
    });

    test('resumes when it is told to reconnect', async () => {
      await using discord = await startBotSim();
      await using _bot = await start(discord);
      const [before] = discord.gateway.sessions();
      discord.gateway.reconnectAll();
      // RESUMED is an event of its own.
      const resumed = { id: before?.id, connected: true, sequence: Number(before?.sequence) + 1 };
      await expect.poll(() => discord.gateway.sessions(), { timeout: WAIT.timeoutMs }).toMatchObject([resumed]);
      expect(await converse(discord, 'back')).toBe('heard back');
    });

    test('starts a new session when its own is invalid', async () => {
      await using discord = await startBotSim();
      await using _bot = await start(discord);
      const [before] = discord.gateway.sessions();
      discord.gateway.invalidateAll(false);
      await expect
        .poll(() => discord.gateway.sessions(), { timeout: WAIT.timeoutMs })
        .toMatchObject([{ connected: true }]);
      expect(discord.gateway.sessions()[0]?.id).not.toBe(before?.id);
      expect(await converse(discord, 'again')).toBe('heard again');
    });
  });
}
