import { type ButtonInteraction, MessageFlags } from 'discord.js';
import { nameOf } from '../command-texts.ts';
import { findAction } from '../find-command.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { invocationOf } from './interaction-invocation.ts';
import { type ButtonId, parseButtonId, payloadOf } from './reply-payload.ts';
import { cooldownReply, runAction } from './run-action.ts';

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

/** Number of replies that are remembered: those of a few minutes, in a bot of thousands of guilds. */
const MAX_REPLIES = 1_000;

/**
 * The replies of which a button was used. One use makes all buttons of a reply ineffective, so that a second click has no
 * effect, and so that "Cancel" is not confirmed while the change is being made.
 */
class UsedReplies {
  readonly #replies = new Set<string>();

  /** Adds a reply. Returns whether it is new. */
  add(reply: string): boolean {
    if (this.#replies.has(reply)) return false;
    // A Set iterates in order of insertion.
    const [oldest] = this.#replies;
    if (this.#replies.size >= MAX_REPLIES && oldest !== undefined) this.#replies.delete(oldest);
    this.#replies.add(reply);
    return true;
  }

  /** Makes the buttons of a reply effective again. */
  delete(reply: string): void {
    this.#replies.delete(reply);
  }
}
