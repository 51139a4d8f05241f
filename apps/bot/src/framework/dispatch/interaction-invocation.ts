import { BOT_PERMISSIONS } from '@guild-settings/contract';
import {
  type AutocompleteInteraction,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type ModalSubmitInteraction,
  type PermissionsBitField,
  type Snowflake,
  SnowflakeUtil,
} from 'discord.js';
import { mayUseCommand } from '../../discord/command-access.ts';
import { languageOf } from '../../i18n/language-of.ts';
import { translatorOf } from '../../i18n/translator.ts';
import type { Command } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import type { DispatchOptions } from './dispatch-options.ts';

/** The use of a button or a form. */
type PartInteraction = ButtonInteraction | ModalSubmitInteraction;

type GuildInteraction = ChatInputCommandInteraction | AutocompleteInteraction | PartInteraction;

/** The time for which the buttons of a reply, or a form, can be used after the command, in milliseconds. */
const LIFETIME_MS = 15 * 60_000;

/** Returns the end of the time for which what an interaction has opened can be used, in milliseconds since 1970. */
export function usableUntilMs(interactionId: string): number {
  return SnowflakeUtil.timestampFrom(interactionId) + LIFETIME_MS;
}

/**
 * Returns the use of a slash command, or of a part of it, in a guild; `undefined` outside of guilds. A part is not permitted until
 * `permitted` has checked it.
 * @param commandId the id of the interaction with the slash command
 * @param isPrivate whether the user alone sees the reply, which is in their language then
 */
export function invocationOf(
  interaction: GuildInteraction,
  commandId: string,
  { settingsOf, isSynced, declared }: Pick<DispatchOptions, 'settingsOf' | 'isSynced' | 'declared'>,
  isPrivate = false,
): Invocation | undefined {
  const { id, guildId, channelId, user, memberPermissions, locale } = interaction;
  if (guildId === null || channelId === null || memberPermissions === null) return undefined;
  const settings = settingsOf(guildId);
  const own = languageOf(locale);
  // Until the language of the guild is known, that of the user is the best.
  const isOwn = own !== undefined && (isPrivate || !isSynced());
  return {
    trigger: {
      ...(isPart(interaction) ? { kind: 'part', isPermitted: false } : { kind: 'slash' }),
      buttonsUntilMs: usableUntilMs(commandId),
    },
    id,
    guildId,
    channelId,
    userId: user.id,
    permissions: permissionsOf(interaction, memberPermissions),
    mayWrite: mayWrite(interaction, memberPermissions),
    settings,
    translator: translatorOf(isOwn ? { language: own } : settings, declared()),
    ownTranslator: own && translatorOf({ language: own }, declared()),
    prefix: '/',
    channelTypes: channelTypesOf(interaction),
  };
}

/** Returns the use of a part of a command, with whether Discord would let the user use the command now. */
export async function permitted(
  invocation: Invocation,
  interaction: PartInteraction,
  command: Pick<Command, 'name' | 'forManagers'>,
): Promise<Invocation> {
  const { trigger, permissions } = invocation;
  if (trigger.kind !== 'part') return invocation;
  const isPermitted = await mayUseCommand(interaction, command, permissions);
  return { ...invocation, trigger: { ...trigger, isPermitted } };
}

function isPart(interaction: GuildInteraction): interaction is PartInteraction {
  return interaction.isButton() || interaction.isModalSubmit();
}

/** Returns the types of the channels that were mentioned or chosen, as Discord states them. */
function channelTypesOf(interaction: GuildInteraction): ReadonlyMap<Snowflake, number> {
  const named = interaction.isModalSubmit()
    ? interaction.fields
    : interaction.isChatInputCommand()
      ? interaction.options
      : undefined;
  const channels = [...(named?.resolved?.channels ?? [])];
  return new Map(channels.flatMap(([id, channel]) => (channel === null ? [] : [[id, channel.type] as const])));
}

/**
 * Returns the user's permissions in the guild. Those of the interaction are of the channel, whose overwrites may add some,
 * so only permissions count that the user's roles have as well.
 */
function permissionsOf(interaction: GuildInteraction, inChannel: Readonly<PermissionsBitField>): bigint {
  return interaction.inCachedGuild() ? inChannel.bitfield & interaction.member.permissions.bitfield : 0n;
}

function mayWrite({ channel }: GuildInteraction, inChannel: Readonly<PermissionsBitField>): boolean {
  const { SEND_MESSAGES, SEND_MESSAGES_IN_THREADS } = BOT_PERMISSIONS;
  return inChannel.has(channel?.isThread() ? SEND_MESSAGES_IN_THREADS : SEND_MESSAGES);
}
