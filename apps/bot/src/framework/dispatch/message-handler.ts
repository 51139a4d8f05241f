import type { GuildSettings } from '@guild-settings/contract';
import type { Message } from 'discord.js';
import { Refusal } from '../../i18n/refusal.ts';
import { code } from '../../i18n/text.ts';
import { translatorOf } from '../../i18n/translator.ts';
import { checkOptions } from '../check-options.ts';
import type { Command } from '../command.ts';
import { type CommandPath, nameOf, textsOf } from '../command-texts.ts';
import { findCommand, findSubcommand } from '../find-command.ts';
import type { Invocation } from '../invocation.ts';
import { usageOf } from '../usage.ts';
import { cooldownReply } from './cooldown-reply.ts';
import type { DispatchOptions, Found } from './dispatch-options.ts';
import { readMessageOptions } from './message-options.ts';
import { type Answer, runAction } from './run-action.ts';
import { type Word, wordsOf, written } from './words.ts';

/** Answers messages that begin with the guild's prefix, or with a mention of the bot. */
export function messageHandler(options: DispatchOptions): (message: Message) => Promise<void> {
  return async (message) => {
    if (!message.inGuild() || message.author.bot || message.webhookId !== null || message.member === null) return;
    const settings = options.settingsOf(message.guildId);
    const called = callOf(message, settings);
    if (called === undefined) return;
    const invocation: Invocation = {
      id: message.id,
      guildId: message.guildId,
      channelId: message.channelId,
      userId: message.author.id,
      permissions: message.member.permissions.bitfield,
      mayWrite: true,
      settings,
      translator: translatorOf(settings.language),
      prefix: called.prefix,
    };
    const [name, ...words] = wordsOf(called.text);
    const command = name && findCommand(options.commands, settings.language, name.value);
    if (command) await use(message, { command, words, invocation }, options);
    // Another bot may have the same prefix; who mentions this one means this one.
    else if (called.isMention) await explain(message, invocation, options);
  };
}

interface Call {
  readonly prefix: string;
  readonly text: string;
  readonly isMention: boolean;
}

/** What was said to the bot; undefined: nothing was. */
function callOf({ content, client }: Message, { prefix }: GuildSettings): Call | undefined {
  const mention = new RegExp(`^<@!?${client.user?.id}>`).exec(content)?.[0];
  if (mention !== undefined) {
    return { prefix: `@${client.user?.username} `, text: content.slice(mention.length), isMention: true };
  }
  if (prefix === '' || !content.startsWith(prefix)) return undefined;
  return { prefix, text: content.slice(prefix.length), isMention: false };
}

interface PrefixUse {
  readonly command: Command;
  readonly words: readonly Word[];
  readonly invocation: Invocation;
}

async function use(message: Message<true>, prefixUse: PrefixUse, options: DispatchOptions): Promise<void> {
  const { command, invocation } = prefixUse;
  const { cooldown, replies, onAnswered } = options;
  const path: CommandPath = [command.name];
  const admission = cooldown.use(invocation, command.name);
  if (!admission.isAllowed && !admission.isFirst) return onAnswered(path, 'limited', 'prefix');
  // Before anything is done: what cannot be answered is not done either.
  const slot = replies.reserve(message.channelId);
  if (slot === undefined) return onAnswered(path, 'dropped', 'prefix');
  try {
    const answer = admission.isAllowed
      ? await answerTo(prefixUse, options)
      : { path, outcome: 'limited' as const, content: cooldownReply(invocation, command.name, admission.waitMs) };
    try {
      await slot.send(() => reply(message, answer.content));
    } catch (error) {
      onAnswered(answer.path, 'undelivered', 'prefix');
      throw error;
    }
    onAnswered(answer.path, answer.outcome, 'prefix');
  } finally {
    slot.release();
  }
}

/** Replies to a mention without a command, within the same limits. */
async function explain(message: Message<true>, invocation: Invocation, options: DispatchOptions): Promise<void> {
  if (!options.cooldown.use(invocation, 'mention').isAllowed) return;
  const slot = options.replies.reserve(message.channelId);
  await slot?.send(() => reply(message, hint(invocation))).finally(() => slot.release());
}

async function answerTo(
  { command, words, invocation }: PrefixUse,
  { services, onError }: DispatchOptions,
): Promise<Answer & { readonly path: CommandPath }> {
  const found = actionOf(command, words, invocation);
  if (found === undefined) {
    return { path: [command.name], outcome: 'refused', content: whichSubcommand(command, invocation) };
  }
  const { action, path, left } = found;
  const readOptions = () => {
    const { values, extra } = readMessageOptions(action.options, path, left, invocation.translator.language);
    if (extra.length > 0) {
      const usage = usageOf(invocation, path, action.options);
      throw new Refusal(invocation.translator.t('errors.tooMany', { extra: code(written(extra)), usage }));
    }
    return checkOptions(action.options, path, values, invocation);
  };
  return { path, ...(await runAction({ action, invocation, readOptions, services, onError })) };
}

function actionOf(
  command: Command,
  words: readonly Word[],
  { translator }: Invocation,
): (Found & { readonly left: readonly Word[] }) | undefined {
  if (command.action) return { action: command.action, path: [command.name], left: words };
  const [name, ...left] = words;
  const found = name && findSubcommand(command, translator.language, name.value);
  return found && { path: [command.name, found[0]], action: found[1], left };
}

function whichSubcommand({ name, subcommands = {} }: Command, invocation: Invocation): string {
  const { translator } = invocation;
  const names = Object.keys(subcommands).map((sub) => code(textsOf(translator.language, [name, sub]).name));
  return translator.t('errors.unknownSubcommand', {
    command: nameOf(invocation, [name]),
    subcommands: translator.list(names),
  });
}

function hint(invocation: Invocation): string {
  const { settings, translator } = invocation;
  const help = nameOf(invocation, ['help']);
  return settings.prefix === ''
    ? translator.t('mentioned.withoutPrefix', { help })
    : translator.t('mentioned.withPrefix', { prefix: code(settings.prefix), help });
}

async function reply(message: Message<true>, content: string): Promise<void> {
  await message.reply({ content, failIfNotExists: false });
}
