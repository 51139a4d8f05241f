import {
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  MessageFlags,
  type ModalSubmitInteraction,
} from 'discord.js';
import type { Reply } from '../invocation.ts';
import type { CommandOutcome } from './dispatch-options.ts';
import { formPayload, payloadOf, type ReplyContext } from './reply-payload.ts';

/** Time after which a reply is deferred: Discord ends an interaction without a response after 3 seconds. */
const DEFER_AFTER_MS = 1_500;

/** A reply to a slash command, a form or a button that opens one, and how its use ended. */
export interface InteractionReply extends Reply {
  readonly outcome: CommandOutcome;
}

/**
 * Sends a reply at once if it is ready in time; otherwise defers it. A form is opened in place of a reply that is in time. The reply
 * to a form that a button has opened takes the place of the reply with the button, which stays where the form was refused or failed.
 */
export async function sendReply(
  interaction: ChatInputCommandInteraction | ModalSubmitInteraction | ButtonInteraction,
  reply: Promise<InteractionReply>,
  { isPrivate, ...of }: ReplyContext & { readonly isPrivate: boolean },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, DEFER_AFTER_MS, 'late');
  });
  const first = await Promise.race([reply, timeout]);
  clearTimeout(timer);
  const replaced = interaction.isModalSubmit() && interaction.isFromMessage() ? interaction : undefined;
  if (first === 'late') {
    if (replaced === undefined) await interaction.deferReply(isPrivate ? { flags: MessageFlags.Ephemeral } : {});
    else await replaced.deferUpdate();
    const late = await reply;
    if (replaced === undefined || late.outcome === 'done') await interaction.editReply(payloadOf(late, of));
    else await interaction.followUp({ ...payloadOf(late, of), flags: MessageFlags.Ephemeral });
    return;
  }
  if (first.form !== undefined && !interaction.isModalSubmit()) {
    await interaction.showModal(formPayload(first.form, of, interaction.user.id));
    return;
  }
  if (replaced !== undefined && first.outcome === 'done') {
    await replaced.update(payloadOf(first, of));
    return;
  }
  const isEphemeral = isPrivate || first.outcome !== 'done';
  await interaction.reply({ ...payloadOf(first, of), ...(isEphemeral && { flags: MessageFlags.Ephemeral }) });
}
