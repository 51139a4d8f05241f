import { registrationOf } from '@guild-settings/discord/framework';
import { temporaryFile } from '@guild-settings/testing';
import {
  APPLICATION,
  botResource,
  CHANNEL,
  COMMANDS,
  discordResource,
  GUILD,
  MEMBER,
  reminderOf,
  TOKEN,
  VOCABULARY,
} from '@guild-settings/testing/bot';
import type { APIApplicationCommand, RESTPostAPIChatInputApplicationCommandsJSONBody } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { remindersIn } from '../reminders/reminders.ts';
import { openBotDatabase } from './bot-database.ts';
import { registeredCommandsIn } from './registered-commands.ts';

const PATH = `/applications/${APPLICATION.id}/commands`;
const OURS = registrationOf(COMMANDS, VOCABULARY);
const NAMES = OURS.map(({ name }) => name);
const RANK = { name: 'rank', description: "Shows a member's rank" };
const THEIR_PING = { name: 'ping', description: 'Pong!' };

describe('commands of other programs', () => {
  test('stay, with the commands that the bot adds, at each start', async () => {
    await using there = await installation();
    const [rank] = await there.put([RANK]);
    for (const _ of [1, 2]) {
      await there.start();
      expect(there.names()).toEqual(['rank', ...NAMES]);
      expect(there.registered('rank')).toEqual(rank);
    }
  });

  test('of the same name stay and are not answered by the bot; one line is logged', async () => {
    await using there = await installation();
    const [ping] = await there.put([THEIR_PING]);
    await using bot = await there.running();
    expect(there.registered('ping')).toEqual(ping);
    expect(warnings(bot.log)).toEqual([
      '/ping of this application is a command of another program. It is left alone, and this bot does not answer it: docs/operate.md#commands-of-the-bot',
    ]);
    const { people, world } = there.discord;
    const ignored = people.slash(MEMBER.id, CHANNEL.id, 'ping');
    await people.slash(MEMBER.id, CHANNEL.id, 'about').reply();
    expect(world.interactions.find(ignored.id)?.responseType).toBeNull();
  });

  test('that have taken over the name of one that the bot had made, with its id, stay', async () => {
    await using there = await installation();
    await there.start();
    const { id } = there.registered('ping');
    const list = await there.put([RANK, THEIR_PING]);
    expect(list[1]?.id).toBe(id);
    await there.start();
    expect(there.registered('ping')).toEqual(list[1]);
    expect(there.names()).toEqual(['rank', ...NAMES.toSorted(atFirst('ping'))]);
  });

  test('of the same name are left alone by a process without shard 0 as well, which writes nothing', async () => {
    await using there = await installation();
    const list = await there.put([THEIR_PING]);
    const log = await there.start({ SHARDS: '1', SHARD_COUNT: '2' });
    expect(warnings(log)).toHaveLength(1);
    expect(there.list()).toEqual(list);
  });
});

describe('commands of 1.0.0', () => {
  test('are updated in place: they keep their ids, and what managers have set for them', async () => {
    await using there = await installation();
    const before = await there.put(OF_1_0_0);
    const { id } = there.registered('remind');
    const channelOnly = { id: CHANNEL.id, type: 3, permission: true } as const;
    there.discord.world.putCommandPermissions(GUILD.id, { applicationId: APPLICATION.id, id }, [channelOnly]);
    await there.start();
    expect(
      there
        .list()
        .map((command) => command.id)
        .toSorted(),
    ).toEqual(before.map((command) => command.id).toSorted());
    expect(there.registered('remind')).toMatchObject({ options: OURS.find(({ name }) => name === 'remind')?.options });
    expect(there.writes()).toEqual([`POST ${PATH}`]);
    expect(await there.permissionsOf(id)).toEqual([channelOnly]);
  });

  test('that were registered again after a downgrade are updated by the same file', async () => {
    await using there = await installation();
    await there.start();
    await there.put(OF_1_0_0);
    await there.start();
    expect(there.registered('remind')).toMatchObject({ options: OURS.find(({ name }) => name === 'remind')?.options });
    expect(there.names().toSorted()).toEqual(NAMES.toSorted());
  });
});

test('the ids and versions of all commands are in the file after the first start, and after later ones', async () => {
  await using there = await installation();
  for (const _ of [1, 2]) {
    await there.start();
    expect(there.versions()).toEqual(new Map(there.list().map(({ id, version }) => [id, version])));
    await there.put(OF_1_0_0);
  }
});

test('the file of 1.0.0 gets a table for the commands, and keeps its reminders', () => {
  using file = temporaryFile();
  const before = openBotDatabase(file.path);
  const kept = remindersIn(before).add(reminderOf());
  before.run('DROP TABLE registered_commands');
  before.run(
    'DELETE FROM __reminders_migrations WHERE created_at = (SELECT max(created_at) FROM __reminders_migrations)',
  );
  before.$client.close();
  const after = openBotDatabase(file.path);
  expect(registeredCommandsIn(after, APPLICATION.id).versions()).toEqual(new Map());
  expect(remindersIn(after).of(reminderOf().guildId, reminderOf().userId)).toEqual([kept]);
  after.$client.close();
});

describe('a start', () => {
  test('writes nothing where nothing has changed, also without the file', async () => {
    await using there = await installation();
    await there.start();
    there.discord.calls.reset();
    await there.start();
    await there.start({ DATABASE_URL: there.otherFile });
    expect(there.writes()).toEqual([]);
  });

  test('removes a command that this version does not have any more', async () => {
    await using there = await installation();
    await there.start();
    await there.add({ name: 'birthday', description: 'Shows birthdays' });
    there.own('birthday');
    await there.start();
    expect(there.names()).toEqual(NAMES);
    await there.start();
    expect(there.writes().filter((call) => call.startsWith('DELETE'))).toHaveLength(1);
  });

  test('leaves a command that this version does not have any more to a program that has changed it since', async () => {
    await using there = await installation();
    await there.start();
    await there.add({ name: 'birthday', description: 'Shows birthdays' });
    there.own('birthday');
    await there.add({ name: 'birthday', description: 'Congratulates' });
    await there.start();
    expect(there.registered('birthday')).toMatchObject({ description: 'Congratulates' });
  });

  test('does not remove commands by the ids of another application in the file', async () => {
    await using there = await installation();
    await there.start();
    await there.add({ name: 'birthday', description: 'Shows birthdays' });
    there.own('birthday', '1100000000000000077');
    await there.start();
    expect(there.names()).toEqual([...NAMES, 'birthday']);
  });
});

/** The list of 1.0.0, in which time zones were not suggested. */
const OF_1_0_0 = JSON.parse(JSON.stringify(OURS), (_key, value) => {
  if (value?.name !== 'timezone') return value;
  const { autocomplete: _, ...option } = value;
  return { ...option, max_length: 64 };
}) as typeof OURS;

function atFirst(first: string) {
  return (one: string, other: string) => Number(other === first) - Number(one === first);
}

function warnings(log: readonly Record<string, unknown>[]): unknown[] {
  return log.filter(({ command }) => command !== undefined).map(({ msg }) => msg);
}

/** A simulated Discord and the file of a bot that can be started several times. */
async function installation() {
  const discord = await discordResource();
  const [file, other] = [temporaryFile(), temporaryFile()];
  const call = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const headers = { authorization: `Bot ${TOKEN}`, 'content-type': 'application/json' };
    const response = await fetch(`${discord.apiUrl}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return response.json() as Promise<Answer>;
  };
  const list = () => discord.world.commandsOf(APPLICATION.id);
  const registered = (name: string) => {
    const command = list().find((one) => one.name === name);
    if (command === undefined) throw new Error(`Expected a command ${name}`);
    return command;
  };
  const running = async (env: NodeJS.ProcessEnv = {}) => {
    const bot = await botResource(discord, { env: { DATABASE_URL: `file:${file.path}`, ...env } });
    await bot.connected;
    return bot;
  };
  return {
    discord,
    otherFile: `file:${other.path}`,
    list,
    registered,
    names: () => list().map(({ name }) => name),
    /** Registers a list, like most programs do, which deletes other commands. */
    async put(commands: readonly object[]): Promise<APIApplicationCommand[]> {
      const answered = await call<APIApplicationCommand[]>('PUT', PATH, commands);
      discord.calls.reset();
      return answered;
    },
    add: (command: RESTPostAPIChatInputApplicationCommandsJSONBody) => call('POST', PATH, command),
    async permissionsOf(id: string) {
      const { permissions } = await call<{ readonly permissions: unknown }>(
        'GET',
        `/applications/${APPLICATION.id}/guilds/${GUILD.id}/commands/${id}/permissions`,
      );
      return permissions;
    },
    /** Records a command in the file, like a version that had it. */
    own(name: string, applicationId: string = APPLICATION.id) {
      const database = openBotDatabase(file.path);
      registeredCommandsIn(database, applicationId).put(registered(name));
      database.$client.close();
    },
    versions() {
      const database = openBotDatabase(file.path);
      const versions = registeredCommandsIn(database, APPLICATION.id).versions();
      database.$client.close();
      return versions;
    },
    writes: () =>
      discord.calls
        .list()
        .flatMap(({ method, path }) => (method !== 'GET' && path.includes('/commands') ? [`${method} ${path}`] : [])),
    running,
    /** Starts the bot, and stops it when its commands are registered. @returns its log */
    async start(env: NodeJS.ProcessEnv = {}) {
      await using bot = await running(env);
      return bot.log;
    },
    async [Symbol.asyncDispose]() {
      await discord.close();
      file[Symbol.dispose]();
      other[Symbol.dispose]();
    },
  };
}
