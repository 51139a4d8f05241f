import { type ButtonInteraction, MessageFlags } from 'discord.js';
import { nameOf } from '../command-texts.ts';
import { findAction } from '../find-command.ts';
import { type ButtonId, parseButtonId } from './button-id.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { invocationOf } from './interaction-invocation.ts';
import { payloadOf } from './reply-payload.ts';
import { cooldownReply, runAction } from './run-action.ts';
import { UsedReplies } from './used-replies.ts';

/** Handles the buttons of replies. */
export function buttonHandler(options: DispatchOptions): (interaction: ButtonInteraction) => Promise<void> {
  const used = new UsedReplies();
  return async (interaction) => {
    const id = parseButtonId(interaction.customId);
    const found = id && findAction(options.commands, id.command, id.subcommand);
    const invocation = invocationOf(interaction, options);
    if (id === undefined || found === undefined || invocation === undefined) return;
    const { action, path } = found;
    const { services, cooldown, onOutcome, onError } = options;
    const { userId, translator } = invocation;
    const refuse = async (content: string, outcome: 'limited' | 'refused') => {
      await interaction.reply({ content, flags: MessageFlags.Ephemeral });
      onOutcome(path, outcome, 'button');
    };

    const admission = cooldown.use(invocation, path[0]);
    if (!admission.isAllowed) {
      if (!admission.isFirst) return onOutcome(path, 'limited', 'button');
      return refuse(cooldownReply(invocation, path[0], admission.waitMs).content, 'limited');
    }
    if (id.userId !== userId) {
      return refuse(translator.t('buttons.notYours', { user: `<@${id.userId}>` }), 'refused');
    }
    const press = action.button(id.name);
    if (press === undefined || services.clock() >= id.expiresAt) {
      return refuse(translator.t('buttons.expired', { command: nameOf(invocation, path) }), 'refused');
    }
    const reply = replyOf(interaction, id);
    if (!used.add(reply)) {
      await interaction.deferUpdate();
      return;
    }
    try {
      // Discord waits three seconds for a response, and a change may take longer. Without this response, nothing is done.
      await interaction.deferUpdate();
      const perform = () => press(invocation, id.values, services);
      const { outcome, ...next } = await runAction({ invocation, perform, onError });
      await interaction.editReply(payloadOf(next, { path, userId, nowMs: services.clock() }));
      onOutcome(path, outcome, 'button');
    } catch (error) {
      used.delete(reply);
      onOutcome(path, 'undelivered', 'button');
      throw error;
    }
  };
}

/** Identifies a reply with its buttons. An edit of a message makes another reply of it: its buttons expire later. */
function replyOf({ message }: ButtonInteraction, { expiresAt }: ButtonId): string {
  return `${message.id} ${expiresAt}`;
}
