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
import { cooldownReply } from './cooldown-reply.ts';
import type { CommandOutcome, DispatchOptions, Found } from './dispatch-options.ts';
import { type Answer, runAction } from './run-action.ts';

/** Discord waits three seconds for a first answer. Milliseconds after which it is told that more time is needed. */
const PATIENCE = 1_500;

/** An answer to a use of a command, or the refusal of its cooldown. */
type SlashAnswer = Pick<Answer, 'content'> & { readonly outcome: CommandOutcome };

/** Answers slash commands. */
export function interactionHandler(options: DispatchOptions): (interaction: Interaction) => Promise<void> {
  return async (interaction) => {
    if (!interaction.isChatInputCommand() || interaction.guildId === null || interaction.memberPermissions === null)
      return;
    const found = actionOf(interaction, options.commands);
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
      // Until the guild's language is known, the person's own does.
      translator: translatorOf(options.isSynced() ? settings.language : languageOf(interaction.locale)),
      prefix: '/',
    };
    const readOptions = () => checkOptions(action.options, path, given(interaction, action), invocation);
    const { services, cooldown, onAnswered, onError } = options;
    const admission = cooldown.use(invocation, path[0]);
    if (!admission.isAllowed && !admission.isFirst) return onAnswered(path, 'limited', 'slash');
    const answer: Promise<SlashAnswer> = admission.isAllowed
      ? runAction({ action, invocation, readOptions, services, onError })
      : Promise.resolve({ outcome: 'limited', content: cooldownReply(invocation, path[0], admission.waitMs) });
    try {
      await say(interaction, answer, action.isPrivate);
    } catch (error) {
      onAnswered(path, 'undelivered', 'slash');
      throw error;
    }
    onAnswered(path, (await answer).outcome, 'slash');
  };
}

/**
 * What the person may do in the guild. An interaction comes with what they may do in the channel, to which a channel's own
 * rules have added; what Discord says of their roles counts as well.
 */
function permissionsOf(interaction: ChatInputCommandInteraction, inChannel: Readonly<PermissionsBitField>): bigint {
  return interaction.inCachedGuild() ? inChannel.bitfield & interaction.member.permissions.bitfield : 0n;
}

function mayWrite({ channel }: ChatInputCommandInteraction, inChannel: Readonly<PermissionsBitField>): boolean {
  const { SendMessages, SendMessagesInThreads } = PermissionFlagsBits;
  return inChannel.has(channel?.isThread() ? SendMessagesInThreads : SendMessages);
}

/** Answers at once where that is possible; else the person sees that the bot is at it. */
async function say(
  interaction: ChatInputCommandInteraction,
  answer: Promise<SlashAnswer>,
  isPrivate: boolean,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, PATIENCE, 'late');
  });
  const first = await Promise.race([answer, late]);
  clearTimeout(timer);
  if (first === 'late') {
    await interaction.deferReply(isPrivate ? { flags: MessageFlags.Ephemeral } : {});
    await interaction.editReply((await answer).content);
    return;
  }
  const { content, outcome } = first;
  const alone = isPrivate || outcome !== 'done';
  await interaction.reply({ content, ...(alone && { flags: MessageFlags.Ephemeral }) });
}

function actionOf(
  { commandName, options }: ChatInputCommandInteraction,
  commands: readonly Command[],
): Found | undefined {
  const command = commands.find(({ name }) => name === commandName);
  if (command?.action) return { action: command.action, path: [command.name] };
  const sub = options.getSubcommand(false);
  const action =
    sub !== null && command?.subcommands && Object.hasOwn(command.subcommands, sub) && command.subcommands[sub];
  return command && action ? { action, path: [command.name, sub] } : undefined;
}

function given({ options }: ChatInputCommandInteraction, action: Action): RawOptions {
  const entries = Object.keys(action.options).map((name) => {
    const value = options.get(name)?.value;
    return [name, typeof value === 'string' || typeof value === 'number' ? value : undefined];
  });
  return Object.fromEntries(entries);
}

/** The bot's language that is nearest to a person's. */
function languageOf(locale: string): Language {
  const [bare] = locale.split('-');
  return (
    LANGUAGES.find((language) => language === locale) ??
    LANGUAGES.find((language) => language.split('-')[0] === bare) ??
    'en-US'
  );
}
