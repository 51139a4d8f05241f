import { type ButtonInteraction, MessageFlags, type ModalSubmitInteraction } from 'discord.js';
import type { CommandServices } from '../command.ts';
import { findAction } from '../find-command.ts';
import type { FilledIn } from '../invocation.ts';
import { nameOf } from '../options.ts';
import {
  invocationOf,
  NO_MENTIONS,
  parseButtonId,
  payloadOf,
  permitted,
  sendReply,
  usableUntilMs,
} from './interactions.ts';
import { cooldownReply, type DispatchOptions, givingBack, runAction } from './run-action.ts';

/**
 * Handles the buttons of replies. Discord states the command and user that a message replies to, so the custom id need
 * not be trusted for that.
 * @see https://docs.discord.com/developers/resources/message#message-interaction-metadata-object
 */
export function buttonHandler<Services extends CommandServices>(
  options: DispatchOptions<Services>,
): (interaction: ButtonInteraction) => Promise<void> {
  const used = new UsedReplies();
  return async (interaction) => {
    const id = parseButtonId(interaction.customId);
    const found = id && findAction(options.commands, id.command, id.subcommand);
    const command = interaction.message.interactionMetadata;
    // Replies with buttons are private.
    const invocation = invocationOf(interaction, command?.id ?? interaction.id, options, true);
    if (id === undefined || found === undefined || invocation === undefined) return;
    const { command: owner, action, path } = found;
    const { services, cooldown, onOutcome, onError } = options;
    const { translator } = invocation;
    const refuse = async (content: string, outcome: 'limited' | 'refused') => {
      await interaction.reply({ content, flags: MessageFlags.Ephemeral, allowedMentions: NO_MENTIONS });
      onOutcome(path, outcome, 'button');
    };

    const admission = cooldown.use(invocation, path[0]);
    if (!admission.isAllowed) {
      if (!admission.isFirst) return onOutcome(path, 'limited', 'button');
      return refuse(cooldownReply(invocation, path[0], admission.waitMs).content, 'limited');
    }
    const again = { command: nameOf(invocation, path) };
    if (command?.user.id !== invocation.userId) return refuse(translator.t('buttons.notYours', again), 'refused');
    const button = action.button(id.name);
    const isExpired = services.clock() >= usableUntilMs(command.id);
    if (button === undefined || isExpired) return refuse(translator.t('buttons.expired', again), 'refused');
    // A form may be closed without being submitted, so opening one leaves the buttons of the reply active.
    if (button.opensForm ? used.has(id.replyId) : !used.add(id.replyId)) {
      await interaction.deferUpdate();
      return;
    }
    const press = { values: id.values, shown: interaction.message.content };
    const perform = async () => button.press(await permitted(invocation, interaction, owner), press, services);
    const reply = { path, replyId: invocation.id };
    try {
      if (button.opensForm) {
        const form = runAction({ invocation, perform, onError });
        await sendReply(interaction, form, { ...reply, isPrivate: true });
        return onOutcome(path, (await form).outcome, 'button');
      }
      // Discord waits three seconds for a response, and a change may take longer. Without this response, nothing is
      // changed.
      await interaction.deferUpdate();
      const { outcome, ...next } = await runAction({ invocation, perform, onError });
      if (outcome === 'failed') {
        // The reply stays, and can be confirmed again.
        used.delete(id.replyId);
        await interaction.followUp({ ...payloadOf(next, reply), flags: MessageFlags.Ephemeral });
      } else {
        await interaction.editReply(payloadOf(next, reply));
      }
      onOutcome(path, outcome, 'button');
    } catch (error) {
      used.delete(id.replyId);
      onOutcome(path, 'undelivered', 'button');
      throw error;
    }
  };
}

/** Number of replies that are remembered: those of a few minutes, for a bot in thousands of guilds. */
const MAX_REPLIES = 1_000;

/**
 * The replies with a used button. One use deactivates all buttons of a reply, so that a second click has no effect, and
 * "Cancel" is not accepted while the change is being made.
 */
class UsedReplies {
  readonly #replies = new Set<string>();

  add(reply: string): boolean {
    if (this.#replies.has(reply)) return false;
    // A Set iterates in insertion order.
    const [oldest] = this.#replies;
    if (this.#replies.size >= MAX_REPLIES && oldest !== undefined) this.#replies.delete(oldest);
    this.#replies.add(reply);
    return true;
  }

  has(reply: string): boolean {
    return this.#replies.has(reply);
  }

  delete(reply: string): void {
    this.#replies.delete(reply);
  }
}

/**
 * Handles submitted forms like buttons: only for the user whose command has opened the form, for 15 minutes, and only
 * if that user may still use the command. The cooldown has counted the slash command that opened the form; the form is
 * the same use.
 */
export function formHandler<Services extends CommandServices>(
  options: DispatchOptions<Services>,
): (interaction: ModalSubmitInteraction) => Promise<void> {
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
      const { content, further } = givingBack(expired, form.filledIn);
      await interaction.reply({ content, flags: MessageFlags.Ephemeral, allowedMentions: NO_MENTIONS });
      await sendFurther(interaction, further);
      return onOutcome(path, 'refused', 'form');
    }
    const perform = async () => submit(await permitted(invocation, interaction, command), form, services);
    const reply = runAction({ invocation, perform, onError }).then((done) => ({
      ...done,
      ...(done.isOfForm && givingBack(done.content, form.filledIn)),
    }));
    try {
      await sendReply(interaction, reply, { path, replyId: invocation.id, isPrivate: action.isPrivate });
      await sendFurther(interaction, (await reply).further);
    } catch (error) {
      onOutcome(path, 'undelivered', 'form');
      throw error;
    }
    onOutcome(path, (await reply).outcome, 'form');
  };
}

/** Sends the remaining parts of a text that exceeds a message. */
async function sendFurther(interaction: ModalSubmitInteraction, messages: readonly string[] = []): Promise<void> {
  for (const content of messages) {
    await interaction.followUp({ content, flags: MessageFlags.Ephemeral, allowedMentions: NO_MENTIONS });
  }
}

function filledIn({ fields }: ModalSubmitInteraction): FilledIn {
  const values = fields.fields.map((field, name) => {
    if ('values' in field) return [name, field.values] as const;
    return [name, 'value' in field && typeof field.value === 'string' ? field.value : ''] as const;
  });
  return Object.fromEntries(values);
}
