import { type ChatInputCommandInteraction, MessageFlags } from 'discord.js';
import { checkOptions } from '../check-options.ts';
import type { Action } from '../command.ts';
import { findAction } from '../find-command.ts';
import type { Reply } from '../invocation.ts';
import type { RawOptions } from '../options.ts';
import type { CommandOutcome, DispatchOptions } from './dispatch-options.ts';
import { invocationOf } from './interaction-invocation.ts';
import { payloadOf, type ReplyContext } from './reply-payload.ts';
import { cooldownReply, runAction } from './run-action.ts';

/** Time after which a reply is deferred: Discord ends an interaction without a response after 3 seconds. */
const DEFER_AFTER_MS = 1_500;

interface InteractionReply extends Reply {
  readonly outcome: CommandOutcome;
}

/** Handles slash commands. */
export function interactionHandler(
  options: DispatchOptions,
): (interaction: ChatInputCommandInteraction) => Promise<void> {
  return async (interaction) => {
    const invocation = invocationOf(interaction, interaction.id, options);
    const found = findAction(options.commands, interaction.commandName, interaction.options.getSubcommand(false));
    if (invocation === undefined || found === undefined) return;
    const { action, path } = found;
    const readOptions = () => checkOptions(action.options, path, rawOptionsOf(interaction, action), invocation);
    const { services, cooldown, onOutcome, onError } = options;
    const admission = cooldown.use(invocation, path[0]);
    if (!admission.isAllowed && !admission.isFirst) return onOutcome(path, 'limited', 'slash');
    const reply: Promise<InteractionReply> = admission.isAllowed
      ? runAction({ invocation, perform: () => action.execute(invocation, readOptions, services), onError })
      : Promise.resolve(cooldownReply(invocation, path[0], admission.waitMs));
    try {
      await send(interaction, reply, { path, replyId: invocation.id, isPrivate: action.isPrivate });
    } catch (error) {
      onOutcome(path, 'undelivered', 'slash');
      throw error;
    }
    onOutcome(path, (await reply).outcome, 'slash');
  };
}

/** Sends a reply at once if it is ready in time; otherwise defers it. */
async function send(
  interaction: ChatInputCommandInteraction,
  reply: Promise<InteractionReply>,
  { isPrivate, ...of }: ReplyContext & { readonly isPrivate: boolean },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, DEFER_AFTER_MS, 'late');
  });
  const first = await Promise.race([reply, late]);
  clearTimeout(timer);
  if (first === 'late') {
    await interaction.deferReply(isPrivate ? { flags: MessageFlags.Ephemeral } : {});
    await interaction.editReply(payloadOf(await reply, of));
    return;
  }
  const isEphemeral = isPrivate || first.outcome !== 'done';
  await interaction.reply({ ...payloadOf(first, of), ...(isEphemeral && { flags: MessageFlags.Ephemeral }) });
}

function rawOptionsOf({ options }: ChatInputCommandInteraction, action: Action): RawOptions {
  const entries = Object.keys(action.options).map((name) => {
    const value = options.get(name)?.value;
    return [name, typeof value === 'string' || typeof value === 'number' ? value : undefined];
  });
  return Object.fromEntries(entries);
}
