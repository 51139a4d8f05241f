import { LANGUAGES } from '@guild-settings/contract';
import {
  type ChatInputCommandInteraction,
  type Interaction,
  MessageFlags,
  PermissionFlagsBits,
  type PermissionsBitField,
} from 'discord.js';
import { type Language, translatorOf } from '../../i18n/translator.ts';
import { checkOptions } from '../check-options.ts';
import type { Action, Command } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import type { RawOptions } from '../options.ts';
import type { CommandOutcome, DispatchOptions, FoundAction } from './dispatch-options.ts';
import { cooldownReply, runAction } from './run-action.ts';

/** Time after which a reply is deferred: Discord ends an interaction without a response after 3 seconds. */
const DEFER_AFTER_MS = 1_500;

interface InteractionReply {
  readonly content: string;
  readonly outcome: CommandOutcome;
}

/** Handles slash commands. */
export function interactionHandler(options: DispatchOptions): (interaction: Interaction) => Promise<void> {
  return async (interaction) => {
    if (!interaction.isChatInputCommand() || interaction.guildId === null || interaction.memberPermissions === null)
      return;
    const found = findAction(interaction, options.commands);
    if (found === undefined) return;
    const { action, path } = found;
    const settings = options.settingsOf(interaction.guildId);
    const invocation: Invocation = {
      id: interaction.id,
      guildId: interaction.guildId,
      channelId: interaction.channelId,
      userId: interaction.user.id,
      permissions: permissionsOf(interaction, interaction.memberPermissions),
      mayWrite: mayWrite(interaction, interaction.memberPermissions),
      settings,
      // The user's language, until that of the guild is known.
      translator: translatorOf(options.isSynced() ? settings.language : languageOf(interaction.locale)),
      prefix: '/',
    };
    const readOptions = () => checkOptions(action.options, path, rawOptionsOf(interaction, action), invocation);
    const { services, cooldown, onOutcome, onError } = options;
    const admission = cooldown.use(invocation, path[0]);
    if (!admission.isAllowed && !admission.isFirst) return onOutcome(path, 'limited', 'slash');
    const reply: Promise<InteractionReply> = admission.isAllowed
      ? runAction({ action, invocation, readOptions, services, onError })
      : Promise.resolve(cooldownReply(invocation, path[0], admission.waitMs));
    try {
      await send(interaction, reply, action.isPrivate);
    } catch (error) {
      onOutcome(path, 'undelivered', 'slash');
      throw error;
    }
    onOutcome(path, (await reply).outcome, 'slash');
  };
}

/**
 * Returns the user's permissions in the guild. Those of the interaction are of the channel, whose overwrites may add some,
 * so only permissions count that the user's roles have as well.
 */
function permissionsOf(interaction: ChatInputCommandInteraction, inChannel: Readonly<PermissionsBitField>): bigint {
  return interaction.inCachedGuild() ? inChannel.bitfield & interaction.member.permissions.bitfield : 0n;
}

function mayWrite({ channel }: ChatInputCommandInteraction, inChannel: Readonly<PermissionsBitField>): boolean {
  const { SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
  return inChannel.has(channel?.isThread() ? SendMessagesInThreads : SendMessages);
}

/** Sends a reply at once if it is ready in time; otherwise defers it. */
async function send(
  interaction: ChatInputCommandInteraction,
  reply: Promise<InteractionReply>,
  isPrivate: boolean,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, DEFER_AFTER_MS, 'late');
  });
  const first = await Promise.race([reply, late]);
  clearTimeout(timer);
  if (first === 'late') {
    await interaction.deferReply(isPrivate ? { flags: MessageFlags.Ephemeral } : {});
    await interaction.editReply((await reply).content);
    return;
  }
  const { content, outcome } = first;
  const isEphemeral = isPrivate || outcome !== 'done';
  await interaction.reply({ content, ...(isEphemeral && { flags: MessageFlags.Ephemeral }) });
}

function findAction(
  { commandName, options }: ChatInputCommandInteraction,
  commands: readonly Command[],
): FoundAction | undefined {
  const command = commands.find(({ name }) => name === commandName);
  if (command?.action) return { action: command.action, path: [command.name] };
  const sub = options.getSubcommand(false);
  const action =
    sub !== null && command?.subcommands && Object.hasOwn(command.subcommands, sub) && command.subcommands[sub];
  return command && action ? { action, path: [command.name, sub] } : undefined;
}

function rawOptionsOf({ options }: ChatInputCommandInteraction, action: Action): RawOptions {
  const entries = Object.keys(action.options).map((name) => {
    const value = options.get(name)?.value;
    return [name, typeof value === 'string' || typeof value === 'number' ? value : undefined];
  });
  return Object.fromEntries(entries);
}

/** Returns the supported language that is closest to a locale of Discord. */
function languageOf(locale: string): Language {
  const [bare] = locale.split('-');
  return (
    LANGUAGES.find((language) => language === locale) ??
    LANGUAGES.find((language) => language.split('-')[0] === bare) ??
    'en-US'
  );
}
