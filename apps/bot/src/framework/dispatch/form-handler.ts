import type { ModalSubmitInteraction } from 'discord.js';
import { findAction } from '../find-command.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { invocationOf } from './interaction-invocation.ts';
import { FIELD, parseButtonId } from './reply-payload.ts';
import { runAction } from './run-action.ts';
import { sendReply } from './send-reply.ts';

/**
 * Handles forms that were filled in. The slash command that opened it was within the cooldown, and is used once by that: a form that
 * is refused would be lost with what was typed.
 */
export function formHandler(options: DispatchOptions): (interaction: ModalSubmitInteraction) => Promise<void> {
  return async (interaction) => {
    const id = parseButtonId(interaction.customId);
    const found = id && findAction(options.commands, id.command, id.subcommand);
    const submit = found?.action.submit;
    const invocation = invocationOf(interaction, interaction.id, options, found?.action.isPrivate);
    if (id === undefined || found === undefined || submit === undefined || invocation === undefined) return;
    const { path, action } = found;
    const { services, onOutcome, onError } = options;
    const form = { values: id.values, filledIn: filledIn(interaction) };
    const reply = runAction({ invocation, perform: () => submit(invocation, form, services), onError });
    try {
      await sendReply(interaction, reply, { path, replyId: invocation.id, isPrivate: action.isPrivate });
    } catch (error) {
      onOutcome(path, 'undelivered', 'form');
      throw error;
    }
    onOutcome(path, (await reply).outcome, 'form');
  };
}

function filledIn({ fields }: ModalSubmitInteraction): string | readonly string[] {
  const field = fields.getField(FIELD);
  if ('values' in field) return field.values;
  return 'value' in field && typeof field.value === 'string' ? field.value : '';
}
