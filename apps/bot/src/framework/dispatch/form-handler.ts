import { MessageFlags, type ModalSubmitInteraction } from 'discord.js';
import { nameOf } from '../command-texts.ts';
import { findAction } from '../find-command.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { invocationOf, permitted, usableUntilMs } from './interaction-invocation.ts';
import { FIELD, parseButtonId } from './reply-payload.ts';
import { runAction, truncate } from './run-action.ts';
import { sendReply } from './send-reply.ts';

/**
 * Handles forms that were filled in, as buttons are handled: for the user whose command has opened them, for 15 minutes, and only if
 * that user may use the command now. The slash command that opened it was within the cooldown, and is used once by that.
 */
export function formHandler(options: DispatchOptions): (interaction: ModalSubmitInteraction) => Promise<void> {
  return async (interaction) => {
    const id = parseButtonId(interaction.customId);
    const found = id && findAction(options.commands, id.command, id.subcommand);
    const submit = found?.action.submit;
    const invocation = invocationOf(interaction, interaction.id, options, found?.action.isPrivate);
    if (id === undefined || found === undefined || submit === undefined || invocation === undefined) return;
    const { command, path, action } = found;
    const { services, onOutcome, onError } = options;
    const form = { values: id.values, filledIn: filledIn(interaction) };
    if (id.name !== invocation.userId || services.clock() >= usableUntilMs(id.replyId)) {
      const expired = invocation.translator.t('buttons.formExpired', { command: nameOf(invocation, path) });
      // The user can copy the text from here.
      const content = [expired, form.filledIn].filter((text) => typeof text === 'string' && text !== '').join('\n\n');
      await interaction.reply({ content: truncate(content), flags: MessageFlags.Ephemeral });
      return onOutcome(path, 'refused', 'form');
    }
    const perform = async () => submit(await permitted(invocation, interaction, command), form, services);
    const reply = runAction({ invocation, perform, onError });
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
