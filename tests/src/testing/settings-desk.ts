import { isDeepStrictEqual } from 'node:util';
import { createGuildSettingsClient, withRequest } from '@guild-settings/client';
import type { Declaration, GuildPatch, HistoryInput } from '@guild-settings/contract';
import type { DiscordSim, Message, SlashUse, SlashValues } from '@guild-settings/discord-sim';
import { BOT, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { startTcpProxy, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { ComponentType, PermissionFlagsBits } from 'discord.js';
import { startRestartableApi } from './restartable-api.ts';
import { startTestBot } from './test-bot.ts';

const { manager, member, owner } = PEOPLE;
const { ManageGuild, SendMessages } = PermissionFlagsBits;

/** A guild of a desk, with the manager and the member in it. */
export interface DeskGuild {
  readonly id: string;
  readonly channel: string;
}

interface DeskOptions {
  /** The settings that the service declares; none unless given. */
  readonly declaration?: Declaration;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Starts an api, a bot behind a proxy, and guilds whose settings users change in the chat.
 * @param guildCount maximum number of unchanged guilds that `nextGuild` returns
 */
export async function startSettingsDesk(guildCount: number, { declaration, env }: DeskOptions = {}) {
  const folder = temporaryFolder();
  const api = await startRestartableApi();
  if (declaration !== undefined) {
    await api.stop();
    await api.start(declaration);
  }
  const proxy = await startTcpProxy(Number(new URL(api.url).port));
  const { discord } = api;
  const { world, people, messages } = discord;
  const settings = createGuildSettingsClient({ url: api.url, token: tokenOf('application') });
  const guilds = Array.from({ length: guildCount }, (_, index): DeskGuild => {
    const guild = { id: `20000000000001${1_000 + index}`, channel: `30000000000001${1_000 + index}` };
    world.addGuild({ id: guild.id, name: `Guild ${index}`, ownerId: owner.id });
    world.addMember(guild.id, manager.id, { permissions: SendMessages | ManageGuild });
    world.addMember(guild.id, member.id, { permissions: SendMessages });
    world.addChannel({ id: guild.channel, guildId: guild.id, name: 'general' });
    world.addBotToGuild(guild.id);
    return guild;
  });
  const unused = guilds.values();
  const startBot = () =>
    startTestBot({
      apiUrl: proxy.url,
      discord,
      path: `${folder.path}/bot.db`,
      clock: () => Date.now() + api.clock.aheadMs,
      ...(env && { env }),
    });
  let bot = await startBot();
  const historyOf = async ({ id: guild }: DeskGuild, kind?: HistoryInput['kind']) =>
    (await settings.guilds.history.query({ guild, ...(kind && { kind }) })).entries;
  const isReported = async (guild: DeskGuild) => (await historyOf(guild, 'platform')).length > 0;
  await waitUntil(async () => (await Promise.all(guilds.map(isReported))).every(Boolean), {
    message: 'reported guilds',
  });

  return {
    api,
    proxy,
    discord,
    botId: BOT.userId,
    historyOf,
    nextGuild(): DeskGuild {
      const { value } = unused.next();
      if (value === undefined) throw new Error('Expected another guild');
      return value;
    },
    /** Changes a guild on behalf of a user, waits until the bot has the change, and returns the revision. */
    async change(
      { id: guild }: DeskGuild,
      patch: GuildPatch,
      user: { readonly id: string } = manager,
    ): Promise<number> {
      let tag = '';
      const onEtag = (etag: string) => {
        tag = etag;
      };
      const options = withRequest({ onBehalfOf: user.id, onEtag });
      const record = await settings.guilds.update.mutate({ guild, ...patch }, options);
      await waitUntil(() => isDeepStrictEqual(bot.settingsOf(guild), record), { message: 'the change' });
      return Number.parseInt(JSON.parse(tag), 10);
    },
    recordOf: ({ id: guild }: DeskGuild) => settings.guilds.get.query({ guild }),
    /** Uses a slash command as the manager and returns the bot's reply. */
    slash: ({ channel }: DeskGuild, command: string, values: SlashValues = {}, use: SlashUse = {}) =>
      people.slash(manager.id, channel, command, values, use).reply(),
    /** Presses a button by its label, without waiting. */
    press: (message: Message, label: string, user: { readonly id: string } = manager) =>
      people.press(user.id, message.id, buttonsOf(message).get(label) ?? `no button ${label}`),
    edited: (message: Message) =>
      messages.waitFor(
        ({ id, content, components }) =>
          id === message.id &&
          JSON.stringify([content, components]) !== JSON.stringify([message.content, message.components]),
      ),
    async restartBot() {
      await bot.stop();
      bot = await startBot();
    },
    async [Symbol.asyncDispose]() {
      await bot.stop();
      await proxy[Symbol.asyncDispose]();
      await api[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Sends the content and the buttons of a reply again, as a public reply to the same command. */
export async function publish(
  { apiUrl, messages, world }: DiscordSim,
  { content, components, interactionId }: Message,
): Promise<Message> {
  const { applicationId, token } = world.interactions.find(interactionId ?? '') ?? {};
  const response = await fetch(`${apiUrl}/webhooks/${applicationId}/${token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content, components }),
  });
  const { id } = (await response.json()) as { readonly id: string };
  return messages.waitFor((message) => message.id === id);
}

export function buttonsOf({ components }: Message): ReadonlyMap<string, string> {
  const items = components.flatMap((row) => (row.type === ComponentType.ActionRow ? row.components : []));
  return new Map(
    items.flatMap((item) =>
      item.type === ComponentType.Button && 'custom_id' in item ? [[item.label ?? '', item.custom_id] as const] : [],
    ),
  );
}
