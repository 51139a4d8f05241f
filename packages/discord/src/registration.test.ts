import { once } from 'node:events';
import { createGuildSettingsClient } from '@guild-settings/client';
import { DEFAULT_SETTINGS, LANGUAGES } from '@guild-settings/contract';
import {
  APPLICATION,
  BOT,
  GUILDS,
  PEOPLE,
  type SandboxGuild,
  startWorld,
} from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { type APIApplicationCommand, Client, type ClientOptions, Events, GatewayIntentBits } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { type CommandData, isVersionOf } from './compare-commands.ts';
import { keepRegistered, Registration, type RegistrationOptions, registrationError } from './registration.ts';
import {
  isSettingsInteraction,
  type SettingsCommandOptions,
  type SettingsReplica,
  settingsCommand,
  settingsCommandData,
} from './settings-command.ts';

const PATH = `/applications/${APPLICATION.id}/commands`;
const [GUILD, OTHER_GUILD] = GUILDS as readonly [SandboxGuild, SandboxGuild];
const DATA = settingsCommandData();
const ENGLISH = {
  commands: { settings: { description: 'Opens the menu', subcommands: { show: { description: 'All' } } } },
};
const RANK = { name: 'rank', description: "Shows a member's rank" };
const THEIR_SETTINGS = {
  name: 'settings',
  description: 'Opens the menu',
  options: [{ type: 1, name: 'show', description: 'Lists options' }],
};

describe('/settings is registered', () => {
  test('beside the commands that are there, and stays when the bot stops answering it', async () => {
    await using there = await discordWith([RANK]);
    await using bot = await there.bot();
    await there.has('rank', 'settings');
    await bot.settings.close();
    expect(there.names()).toEqual(['rank', 'settings']);
  });

  test('once where two processes start at the same time, of which neither fails', async () => {
    await using there = await discordWith([RANK]);
    await using one = await there.bot({}, { shards: [0], shardCount: 2 });
    await using other = await there.bot({}, { shards: [1], shardCount: 2 });
    await there.has('rank', 'settings');
    await waitUntil(() => there.reads() === 2);
    expect([one.lines, other.lines]).toEqual([[], []]);
  });

  test('with the client that is ready already', async () => {
    await using there = await discordWith([]);
    await using client = there.client();
    await client.ready();
    await using _ = there.settingsOf(client);
    await there.has('settings');
  });

  test.each([undefined, GUILD.id])('not again where nothing has changed, in the guild %s', async (guildId) => {
    await using there = await discordWith([]);
    await using client = there.client();
    await client.ready();
    for (const _ of [1, 2]) {
      const registration = new Registration({ commands: [DATA], guildId, onForeign: () => {}, onRemoved: () => {} });
      await registration.register(client, APPLICATION.id, new AbortController().signal);
    }
    expect(there.writes()).toHaveLength(1);
    expect(there.list(guildId)).toHaveLength(1);
  });

  test.each<[string, CommandData]>([
    ['another form, such as fewer subcommands', settingsCommandData({ without: ['undo'] })],
    ['English texts of the author', settingsCommandData({ texts: { 'en-US': ENGLISH } })],
    [
      'descriptions of the author in all languages',
      settingsCommandData({ texts: Object.fromEntries(LANGUAGES.map((language) => [language, ENGLISH])) }),
    ],
  ])('in place of an earlier version with %s, whose id it keeps', async (_, earlier) => {
    await using there = await discordWith([earlier]);
    const [before] = there.list();
    await using bot = await there.bot();
    await waitUntil(() => there.one('settings').version !== before?.version);
    const { id, description, options } = there.one('settings');
    expect({ id, description }).toEqual({ id: before?.id, description: DATA.description });
    expect(options).toHaveLength(DATA.options?.length ?? 0);
    expect(bot.lines).toEqual([]);
  });

  test('in the given guilds only', async () => {
    await using there = await discordWith([RANK]);
    await using _ = await there.bot({ guilds: [GUILD.id] });
    await waitUntil(() => there.list(GUILD.id).length === 1);
    expect([there.names(), there.names(GUILD.id)]).toEqual([['rank'], ['settings']]);
  });

  test('by the author alone with register: false', async () => {
    await using there = await discordWith([RANK]);
    await using bot = await there.bot({ register: false });
    expect(there.reads()).toBe(0);
    await there.put([RANK, settingsCommandData()]);
    expect(await there.isAnswered(bot, 'settings show')).toBe(true);
  });
});

describe("a command of the author's with the same name", () => {
  test('stays and is not answered; one line says what to do', async () => {
    await using there = await discordWith([THEIR_SETTINGS]);
    const before = there.list();
    await using bot = await there.bot();
    await waitUntil(() => bot.lines.length > 0);
    expect(there.list()).toEqual(before);
    expect(bot.lines).toEqual([FOREIGN_LINE]);
    expect(await there.isAnswered(bot, 'settings show')).toBe(false);
  });

  test.each<[string, readonly object[]]>([
    ['other subcommands of the same names', [subcommand('set', 'Sets an option'), subcommand('show', 'Lists options')]],
    ['one language, in which a sentence is the same', [subcommand('show', 'Shows the settings')]],
    [
      'options that are described as ours are',
      [
        {
          ...subcommand('set', 'Sets an option'),
          options: [{ type: 3, name: 'setting', description: 'Which setting' }],
        },
      ],
    ],
  ])('is another one, with %s', async (_, options) => {
    await using there = await discordWith([{ ...THEIR_SETTINGS, options }]);
    const [registered] = there.list();
    expect(isVersionOf(registered as APIApplicationCommand, DATA)).toBe(false);
  });

  test('that is of all guilds is not answered in the guilds where ours is tried', async () => {
    await using there = await discordWith([THEIR_SETTINGS]);
    await using bot = await there.bot({ guilds: [OTHER_GUILD.id] });
    await waitUntil(() => there.list(OTHER_GUILD.id).length === 1 && bot.lines.length === 1);
    expect(await there.isAnswered(bot, 'settings show')).toBe(false);
  });
});

describe('a command that is looked for again', () => {
  test('is created again where a list without it was registered, at most once an hour from the third time on', async () => {
    await using there = await discordWith([]);
    let now = 0;
    await using kept = await there.kept({ clock: () => now });
    await kept.looked();
    for (const times of [1, 2]) {
      await there.put([RANK]);
      await there.has('rank', 'settings');
      await waitUntil(() => kept.removed.length === times);
    }
    await there.put([RANK]);
    await kept.looked();
    expect(there.names()).toEqual(['rank']);
    now += 3_600_000;
    await there.has('rank', 'settings');
    await waitUntil(() => kept.removed.length === 3);
    expect(kept.removed).toEqual([1, 2, 3]);
  });

  test('is created by the process with shard 0, so that the limit holds for all of them', async () => {
    await using there = await discordWith([]);
    await using kept = await there.kept({}, { shards: [1], shardCount: 2 });
    await there.has('settings');
    await there.put([RANK]);
    await kept.looked();
    expect(there.names()).toEqual(['rank']);
  });

  test('stays as another version has made it, which would overwrite it in turn', async () => {
    await using there = await discordWith([]);
    await using kept = await there.kept();
    await there.has('settings');
    await there.put([settingsCommandData({ without: ['undo'] })]);
    const other = there.list();
    await kept.looked();
    expect(there.list()).toEqual(other);
  });

  test('is not answered any more when another one has taken its name, with its id, and again when it is back', async () => {
    await using there = await discordWith([]);
    await using kept = await there.kept();
    await there.has('settings');
    const { id } = there.one('settings');
    await there.put([THEIR_SETTINGS]);
    await waitUntil(() => kept.registration.isForeign(id));
    expect(kept.foreign).toEqual(['settings']);
    await there.put([DATA]);
    await waitUntil(() => !kept.registration.isForeign(id));
    expect(kept.removed).toEqual([]);
  });

  test('is registered though Discord failed at first, each failure being reported', async () => {
    await using there = await discordWith([]);
    there.discord.faults.set({ kind: 'status', status: 500 }, { path: PATH, times: 2 });
    await using kept = await there.kept();
    await there.has('settings');
    expect(kept.failures).toHaveLength(2);
  });

  test('is not looked for after the end, nor by a client that was destroyed', async () => {
    await using there = await discordWith([]);
    await using kept = await there.kept();
    await kept.looked();
    await kept.client.destroy();
    await kept.stop();
    const reads = there.reads();
    expect(kept.failures).toEqual([]);
    expect(there.reads()).toBe(reads);
  });
});

describe('a failure says in a sentence what to do', () => {
  test('once, as long as it is the same', async () => {
    await using there = await discordWith([]);
    await using bot = await there.bot({ guilds: ['1234567890123456799'] });
    await waitUntil(() => bot.lines.length > 0);
    expect(bot.lines).toEqual([
      '/settings could not be registered: the bot is not in a guild of the option guilds, or was added without the scope applications.commands. Add it to that guild.',
    ]);
  });

  test.each([
    [{ status: 400, code: 30_032 }, 'Remove one.'],
    [{ status: 400, code: 30_034 }, 'Find the program that repeatedly removes commands.'],
    [{ status: 400, code: 50_035 }, 'Correct the options name and texts. (as Discord says)'],
    [{ status: 401, code: 0 }, 'Check the token of the bot. (as Discord says)'],
    [{ status: 503 }, 'It will be retried. (as Discord says)'],
    [{}, 'It will be retried. (as Discord says)'],
  ])('of %o', (fields, advice) => {
    const cause = Object.assign(new Error('as Discord says'), fields);
    const error = registrationError(cause, 'config');
    expect(error.message).toMatch(/^\/config could not be registered: /);
    expect(error.message.endsWith(advice)).toBe(true);
    expect(error.cause).toBe(cause);
  });
});

const FOREIGN_LINE =
  '/settings of this application is another command, which is left alone and not answered: give settingsCommand another name, or delete that command.';

function subcommand(name: string, description: string) {
  return { type: 1, name, description };
}

/** A simulated Discord in which the application has registered these commands. */
async function discordWith(commands: readonly object[]) {
  const discord = await startWorld({ guilds: [GUILD, OTHER_GUILD] });
  const put = async (list: readonly object[]): Promise<void> => {
    const headers = { authorization: `Bot ${BOT.token}`, 'content-type': 'application/json' };
    const response = await fetch(`${discord.apiUrl}${PATH}`, { method: 'PUT', headers, body: JSON.stringify(list) });
    if (!response.ok) throw new Error(await response.text());
  };
  await put(commands);
  discord.calls.reset();
  const list = (guildId: string | null = null) => discord.world.commandsOf(APPLICATION.id, guildId);
  const names = (guildId: string | null = null) => list(guildId).map(({ name }) => name);
  const client = (options: Partial<ClientOptions> = {}) => {
    const created = new Client({
      intents: [GatewayIntentBits.Guilds],
      rest: { api: discord.apiUrl.replace(/\/v10$/, ''), retries: 0 },
      ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => undefined }) },
      ...options,
    });
    return Object.assign(created, {
      /** Logs in, and resolves when the client is ready. */
      async ready() {
        const isReady = once(created, Events.ClientReady);
        await created.login(BOT.token);
        await isReady;
      },
      [Symbol.asyncDispose]: () => created.destroy(),
    });
  };
  const settingsOf = (of: Client, options: Partial<SettingsCommandOptions> = {}) => {
    const lines: string[] = [];
    const service = createGuildSettingsClient({ url: 'http://127.0.0.1:9', token: 'none' });
    const settings = settingsCommand(of, {
      service,
      replica: {
        get: () => DEFAULT_SETTINGS,
        status: { state: 'LIVE' } as SettingsReplica['status'],
        declared: { declaration: undefined, tag: undefined },
        on: () => () => {},
      },
      onError: ({ message }) => lines.push(message),
      ...options,
    });
    return { settings, lines, [Symbol.asyncDispose]: () => settings.close() };
  };
  return {
    discord,
    put,
    list,
    names,
    client,
    settingsOf,
    one(name: string): APIApplicationCommand {
      const found = list().find((command) => command.name === name);
      if (found === undefined) throw new Error(`Expected a command ${name}`);
      return found;
    },
    /** Resolves when the application has these commands. */
    has: (...expected: readonly string[]) => waitUntil(() => names().toSorted().join() === expected.toSorted().join()),
    reads: () => discord.calls.count({ method: 'GET', path: PATH }),
    writes: () =>
      discord.calls
        .list()
        .flatMap(({ method, path }) =>
          /^(?:POST|PATCH|DELETE)$/.test(method) && path.includes('/commands') ? [`${method} ${path}`] : [],
        ),
    /** A bot with the settings command that logs in. */
    async bot(options: Partial<SettingsCommandOptions> = {}, clientOptions: Partial<ClientOptions> = {}) {
      const own = client(clientOptions);
      const { settings, lines } = settingsOf(own, options);
      await own.ready();
      return {
        client: own,
        settings,
        lines,
        async [Symbol.asyncDispose]() {
          await settings.close();
          await own.destroy();
        },
      };
    },
    /** Uses a command. @returns true: it is answered by the settings command of this client */
    async isAnswered({ client: of }: { readonly client: Client }, command: string): Promise<boolean> {
      const received = once(of, Events.InteractionCreate);
      discord.people.slash(PEOPLE.owner.id, GUILD.channels.general, command);
      const [interaction] = await received;
      return isSettingsInteraction(interaction);
    },
    /** A client that continuously checks the command. */
    async kept(options: Partial<RegistrationOptions> = {}, clientOptions: Partial<ClientOptions> = {}) {
      const own = client(clientOptions);
      await own.ready();
      const [foreign, removed, failures]: [string[], number[], unknown[]] = [[], [], []];
      const registration = new Registration({
        commands: [DATA],
        onForeign: (name) => foreign.push(name),
        onRemoved: (_, times) => removed.push(times),
        ...options,
      });
      const stopping = new AbortController();
      let looks = 0;
      const stopped = keepRegistered(own, [registration], {
        signal: stopping.signal,
        intervals: { firstMs: 10, everyMs: 10, afterFailureMs: 5 },
        onRegistered: () => (looks += 1),
        onFailed: (error) => failures.push(error),
      });
      const stop = () => {
        stopping.abort();
        return stopped;
      };
      return {
        client: own,
        registration,
        foreign,
        removed,
        failures,
        stop,
        /** Resolves after a check that began later has succeeded. */
        async looked() {
          const before = looks;
          await waitUntil(() => looks >= before + 2);
        },
        async [Symbol.asyncDispose]() {
          await stop();
          await own.destroy();
        },
      };
    },
    [Symbol.asyncDispose]: () => discord.close(),
  };
}
