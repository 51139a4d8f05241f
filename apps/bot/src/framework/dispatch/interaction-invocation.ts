import { BOT_PERMISSIONS, LANGUAGES } from '@guild-settings/contract';
import {
  type AutocompleteInteraction,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type ModalSubmitInteraction,
  type PermissionsBitField,
  SnowflakeUtil,
} from 'discord.js';
import { type Language, translatorOf } from '../../i18n/translator.ts';
import type { Invocation } from '../invocation.ts';
import type { DispatchOptions } from './dispatch-options.ts';

type GuildInteraction =
  | ChatInputCommandInteraction
  | ButtonInteraction
  | AutocompleteInteraction
  | ModalSubmitInteraction;

/** How long the buttons of a reply can be used after the command, in milliseconds. */
const BUTTON_LIFETIME_MS = 15 * 60_000;

/**
 * Returns the use of a slash command, or of a part of it, in a guild; `undefined` outside of guilds.
 * @param commandId the id of the interaction with the slash command
 */
export function invocationOf(
  interaction: GuildInteraction,
  commandId: string,
  { settingsOf, isSynced, declared }: Pick<DispatchOptions, 'settingsOf' | 'isSynced' | 'declared'>,
): Invocation | undefined {
  const { id, guildId, channelId, user, memberPermissions, locale } = interaction;
  if (guildId === null || channelId === null || memberPermissions === null) return undefined;
  const settings = settingsOf(guildId);
  return {
    trigger: { kind: 'slash', buttonsUntilMs: SnowflakeUtil.timestampFrom(commandId) + BUTTON_LIFETIME_MS },
    id,
    guildId,
    channelId,
    userId: user.id,
    permissions: permissionsOf(interaction, memberPermissions),
    mayWrite: mayWrite(interaction, memberPermissions),
    settings,
    // The user's language, until that of the guild is known.
    translator: translatorOf(isSynced() ? settings : { language: languageOf(locale) ?? 'en-US' }, declared()),
    prefix: '/',
  };
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

/** Returns the supported language that is closest to a locale of Discord; undefined: there is none. */
export function languageOf(locale: string): Language | undefined {
  const [bare] = locale.split('-');
  return (
    LANGUAGES.find((language) => language === locale) ?? LANGUAGES.find((language) => language.split('-')[0] === bare)
  );
}
