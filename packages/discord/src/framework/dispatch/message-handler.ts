import type { RecordSettings } from '@guild-settings/contract';
import type { Message } from 'discord.js';
import { code, didYouMean, nearest, Refusal } from '../../i18n/text.ts';
import type { CommandPath } from '../../i18n/translator.ts';
import { findGroup, similarGroup } from '../../settings/setting-texts.ts';
import { type Action, type Command, type CommandServices, suggestedValues } from '../command.ts';
import { type FoundAction, findCommand, findSubcommand, hasCommand } from '../find-command.ts';
import type { Invocation } from '../invocation.ts';
import { checkOptions, groupLines, nameOf, usageOf } from '../options.ts';
import { NO_MENTIONS } from './interactions.ts';
import { joinWords, matchPrefix, readMessageOptions, splitWords, type Word } from './message-text.ts';
import { type CommandReply, cooldownReply, type DispatchOptions, runAction } from './run-action.ts';

export function messageHandler<Services extends CommandServices>(
  options: DispatchOptions<Services>,
): (message: Message) => Promise<void> {
  return async (message) => {
    if (!message.inGuild() || message.author.bot || message.webhookId !== null || message.member === null) return;
    if (options.guilds?.includes(message.guildId) === false) return;
    const settings = options.settingsOf(message.guildId);
    const call = parseCall(message, settings);
    if (call === undefined) return;
    const invocation: Invocation = {
      trigger: { kind: 'message' },
      id: message.id,
      guildId: message.guildId,
      channelId: message.channelId,
      userId: message.author.id,
      permissions: message.member.permissions.bitfield,
      mayWrite: true,
      settings,
      translator: options.vocabulary.translatorOf(settings, options.declared()),
      hasCommand: (path) => hasCommand(options.commands, path),
      prefix: call.prefix,
    };
    const [name, ...words] = splitWords(call.text);
    const command = name && findCommand(options.commands, invocation.translator, name.value);
    if (command) await handleCommand(message, { command, words, invocation }, options);
    // Another bot may have the same prefix. A mention always means this bot.
    else if (call.isMention && options.mentionHint) await replyToMention(message, invocation, options);
  };
}

interface Call {
  readonly prefix: string;
  readonly text: string;
  readonly isMention: boolean;
}

/** Splits a message into the prefix or mention and the text after it; undefined: neither. */
function parseCall({ content, client }: Message, { prefix }: RecordSettings): Call | undefined {
  const mention = new RegExp(`^<@!?${client.user?.id}>`).exec(content)?.[0];
  if (mention !== undefined) {
    return { prefix: `@${client.user?.username} `, text: content.slice(mention.length), isMention: true };
  }
  const length = prefix === '' ? undefined : matchPrefix(content, prefix);
  return length === undefined ? undefined : { prefix, text: content.slice(length), isMention: false };
}

interface CommandMessage<Services> {
  readonly command: Command<Services>;
  readonly words: readonly Word[];
  readonly invocation: Invocation;
}

async function handleCommand<Services extends CommandServices>(
  message: Message<true>,
  use: CommandMessage<Services>,
  options: DispatchOptions<Services>,
): Promise<void> {
  const { command, invocation } = use;
  const { cooldown, replies, onOutcome } = options;
  const path: CommandPath = [command.name];
  const admission = cooldown.use(invocation, command.name);
  if (!admission.isAllowed && !admission.isFirst) return onOutcome(path, 'limited', 'prefix');
  // Reserved before the action runs: without a slot for the reply, the action does not run.
  const slot = replies.reserve(message.channelId);
  if (slot === undefined) return onOutcome(path, 'dropped', 'prefix');
  try {
    const reply = admission.isAllowed
      ? await runCommand(use, options)
      : { path, ...cooldownReply(invocation, command.name, admission.waitMs) };
    try {
      await slot.send(() => send(message, reply));
    } catch (error) {
      onOutcome(reply.path, 'undelivered', 'prefix');
      throw error;
    }
    onOutcome(reply.path, reply.outcome, 'prefix');
  } finally {
    slot.release();
  }
}

async function replyToMention(
  message: Message<true>,
  invocation: Invocation,
  options: Pick<DispatchOptions<CommandServices>, 'cooldown' | 'replies' | 'mentionHint'>,
): Promise<void> {
  if (!options.cooldown.use(invocation, 'mention').isAllowed) return;
  const slot = options.replies.reserve(message.channelId);
  await slot
    ?.send(() => send(message, { content: options.mentionHint?.(invocation) ?? '' }))
    .finally(() => slot.release());
}

async function runCommand<Services extends CommandServices>(
  { command, words, invocation }: CommandMessage<Services>,
  { services, onError }: DispatchOptions<Services>,
): Promise<CommandReply & { readonly path: CommandPath }> {
  const found = findAction(command, words, invocation);
  if (found === undefined) {
    return { path: [command.name], outcome: 'refused', content: subcommandHint(command, words, invocation) };
  }
  const { action, path, words: optionWords } = found;
  const { translator } = invocation;
  const readOptions = () => {
    const { values, extra } = readMessageOptions(action.options, path, optionWords, translator);
    if (extra.length > 0) {
      const usage = usageOf(invocation, path, action.options);
      throw new Refusal(translator.t('errors.tooMany', { extra: code(joinWords(extra)), usage }));
    }
    const meant = suggestedValues(action, values, { invocation, services });
    return checkOptions(action.options, path, meant, invocation);
  };
  const perform = () => action.execute(invocation, readOptions, services);
  return { path, ...(await runAction({ invocation, perform, onError })) };
}

function findAction<Services>(
  command: Command<Services>,
  words: readonly Word[],
  { translator }: Invocation,
): (FoundAction<Services> & { readonly words: readonly Word[] }) | undefined {
  if (command.action) return { command, action: command.action, path: [command.name], words };
  const [name, ...others] = words;
  const byName = name && findSubcommand(command, translator, name.value);
  if (byName !== undefined) return { command, path: [command.name, byName[0]], action: byName[1], words: others };
  const bare = command.bare === undefined ? undefined : findSubcommand(command, translator, command.bare);
  const isBare = name === undefined || (takesGroup(bare?.[1]) && findGroup(joinWords(words), translator) !== undefined);
  return bare && isBare ? { command, path: [command.name, bare[0]], action: bare[1], words } : undefined;
}

/** Returns true if the name of a group may follow a command in place of a subcommand. */
function takesGroup(action: Pick<Action, 'options'> | undefined): boolean {
  return Object.values(action?.options ?? {})[0]?.kind === 'group';
}

function subcommandHint(
  { name, subcommands = {}, bare = '' }: Pick<Command, 'name' | 'subcommands' | 'bare'>,
  words: readonly Word[],
  invocation: Invocation,
): string {
  const { translator } = invocation;
  const [typed] = words;
  const hasGroups = takesGroup(subcommands[bare]);
  const english = Object.keys(subcommands);
  const names = english.map((subcommand) => translator.commandTexts([name, subcommand]).name);
  const command = nameOf(invocation, [name]);
  return [
    translator.t('errors.unknownSubcommand', { command, subcommands: translator.list(names.map(code)) }),
    ...(hasGroups ? groupLines(invocation) : []),
    ...didYouMean(
      (typed && nearest(typed.value, [...names, ...english])) ??
        (hasGroups ? similarGroup(joinWords(words), translator) : undefined),
      translator,
    ),
  ].join('\n');
}

/** Sends a reply without its buttons, because all members of the channel see it. */
async function send(message: Message<true>, { content }: { readonly content: string }): Promise<void> {
  await message.reply({ content, failIfNotExists: false, allowedMentions: NO_MENTIONS });
}
