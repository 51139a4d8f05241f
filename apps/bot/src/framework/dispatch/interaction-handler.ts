import type { ChatInputCommandInteraction } from 'discord.js';
import { checkOptions } from '../check-options.ts';
import { findAction } from '../find-command.ts';
import { suggestedValues } from '../suggested-values.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { invocationOf } from './interaction-invocation.ts';
import { rawOptionsOf } from './raw-options.ts';
import { cooldownReply, runAction } from './run-action.ts';
import { type InteractionReply, sendReply } from './send-reply.ts';

export function interactionHandler(
  options: DispatchOptions,
): (interaction: ChatInputCommandInteraction) => Promise<void> {
  return async (interaction) => {
    const found = findAction(options.commands, interaction.commandName, interaction.options.getSubcommand(false));
    const invocation = invocationOf(interaction, interaction.id, options, found?.action.isPrivate);
    if (invocation === undefined || found === undefined) return;
    const { action, path } = found;
    const { services, cooldown, onOutcome, onError } = options;
    const readOptions = () => {
      const values = suggestedValues(action, rawOptionsOf(interaction, action), { invocation, services });
      return checkOptions(action.options, path, values, invocation);
    };
    const admission = cooldown.use(invocation, path[0]);
    if (!admission.isAllowed && !admission.isFirst) return onOutcome(path, 'limited', 'slash');
    const reply: Promise<InteractionReply> = admission.isAllowed
      ? runAction({ invocation, perform: () => action.execute(invocation, readOptions, services), onError })
      : Promise.resolve(cooldownReply(invocation, path[0], admission.waitMs));
    try {
      await sendReply(interaction, reply, { path, replyId: invocation.id, isPrivate: action.isPrivate });
    } catch (error) {
      onOutcome(path, 'undelivered', 'slash');
      throw error;
    }
    onOutcome(path, (await reply).outcome, 'slash');
  };
}
