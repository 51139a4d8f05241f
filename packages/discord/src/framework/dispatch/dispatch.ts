import {
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type Client,
  Events,
  type Interaction,
  type Message,
} from 'discord.js';
import { Refusal } from '../../i18n/text.ts';
import { type Action, type Command, type CommandServices, offered, suggestedValues } from '../command.ts';
import { findSlashAction } from '../find-command.ts';
import type { Invocation } from '../invocation.ts';
import { checkOptions, type RawOptions } from '../options.ts';
import { buttonHandler, formHandler } from './buttons-and-forms.ts';
import { type InteractionReply, invocationOf, permitted, sendReply } from './interactions.ts';
import { messageHandler } from './message-handler.ts';
import { cooldownReply, type DispatchOptions, runAction } from './run-action.ts';

export interface Dispatcher {
  /** Ignores further events. Resolves when the running commands have replied. */
  stop(): Promise<void>;
}

export function dispatch<Services extends CommandServices>(
  client: Client,
  options: DispatchOptions<Services>,
): Dispatcher {
  const running = new Set<Promise<void>>();
  let isStopped = false;
  const run = (handle: () => Promise<void>) => {
    if (isStopped) return;
    const handled = handle()
      .catch(options.onError)
      .finally(() => running.delete(handled));
    running.add(handled);
  };
  const onMessage = messageHandler(options);
  const onInteraction = interactionHandler(options);
  const onButton = buttonHandler(options);
  const onTyping = suggestionHandler(options);
  const onForm = formHandler(options);
  const onMessageCreate = (message: Message) => run(() => onMessage(message));
  const onInteractionCreate = (interaction: Interaction) => {
    if (options.isAnswered?.(interaction) === false) return;
    if (interaction.isChatInputCommand()) run(() => onInteraction(interaction));
    else if (interaction.isButton()) run(() => onButton(interaction));
    else if (interaction.isAutocomplete()) run(() => onTyping(interaction));
    else if (interaction.isModalSubmit()) run(() => onForm(interaction));
  };
  if (options.readsMessages) client.on(Events.MessageCreate, onMessageCreate);
  client.on(Events.InteractionCreate, onInteractionCreate);
  return {
    async stop() {
      isStopped = true;
      client.off(Events.MessageCreate, onMessageCreate).off(Events.InteractionCreate, onInteractionCreate);
      await Promise.all(running);
    },
  };
}

function interactionHandler<Services extends CommandServices>(
  options: DispatchOptions<Services>,
): (interaction: ChatInputCommandInteraction) => Promise<void> {
  return async (interaction) => {
    const found = findSlashAction(options.commands, interaction.commandName, interaction.options.getSubcommand(false));
    const invocation = invocationOf(interaction, interaction.id, options, found?.action.isPrivate);
    if (invocation === undefined || found === undefined) return;
    const { command, action, path } = found;
    const { services, cooldown, onOutcome, onError } = options;
    const readOptions = () => {
      const values = suggestedValues(action, rawOptionsOf(interaction, action), { invocation, services });
      return checkOptions(action.options, path, values, invocation);
    };
    const admission = cooldown.use(invocation, path[0]);
    if (!admission.isAllowed && !admission.isFirst) return onOutcome(path, 'limited', 'slash');
    const perform = async () =>
      action.execute(await permitted(invocation, interaction, command), readOptions, services);
    const reply: Promise<InteractionReply> = admission.isAllowed
      ? runAction({ invocation, perform, onError })
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

const MAX_CHOICES = 25;

/**
 * Time for which a typing user is not checked again: each character causes an interaction, and a check costs a request.
 */
const CHECKED_FOR_MS = 10_000;

const MAX_CHECKED = 1_000;

/** The checks of typing users, oldest first. */
class TypingUsers {
  readonly #checks = new Map<string, { readonly at: number; readonly checked: Promise<Invocation> }>();

  /** Returns the invocation with the permission of its user. Rejects when Discord cannot be reached. */
  async permitted(invocation: Invocation, interaction: AutocompleteInteraction, command: Command): Promise<Invocation> {
    const { guildId, channelId, userId, permissions } = invocation;
    const key = [guildId, channelId, userId, permissions, command.name].join(' ');
    const now = performance.now();
    let check = this.#checks.get(key);
    if (check === undefined || now - check.at >= CHECKED_FOR_MS) {
      check = { at: now, checked: permitted(invocation, interaction, command) };
      check.checked.catch(() => this.#checks.delete(key));
      this.#checks.delete(key);
      this.#checks.set(key, check);
      const [oldest] = this.#checks.keys();
      if (this.#checks.size > MAX_CHECKED && oldest !== undefined) this.#checks.delete(oldest);
    }
    const { trigger } = await check.checked;
    return { ...invocation, trigger };
  }
}

/** Handles typing in options: offers values from memory to users with permission. */
function suggestionHandler<Services extends CommandServices>(
  options: DispatchOptions<Services>,
): (interaction: AutocompleteInteraction) => Promise<void> {
  const users = new TypingUsers();
  return async (interaction) => {
    // Only the person sees the suggestions, so they are in the person's language.
    const invocation = invocationOf(interaction, interaction.id, options, true);
    const found = findSlashAction(options.commands, interaction.commandName, interaction.options.getSubcommand(false));
    const { name, value } = interaction.options.getFocused(true);
    const suggest = found?.action.suggest(name);
    if (invocation === undefined || found === undefined) return;
    const { command, action } = found;
    // Discord requests suggestions for all users of a command, which another program may have registered for all
    // members.
    const isOffered = suggest && isAdmitted(action, await users.permitted(invocation, interaction, command));
    // Another version of the bot may have registered additional options.
    if (!isOffered) return interaction.respond([]);
    const values = rawOptionsOf(interaction, action);
    const { translator } = invocation;
    const suggestions = suggest({ invocation, translator, typed: String(value), values, services: options.services });
    const choices = offered(suggestions).slice(0, MAX_CHOICES);
    await interaction.respond(choices.map(({ name: shown, value: chosen }) => ({ name: shown, value: chosen })));
  };
}

function isAdmitted(action: Pick<Action, 'admit'>, invocation: Invocation): boolean {
  try {
    action.admit(invocation);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

function rawOptionsOf(
  { options }: ChatInputCommandInteraction | AutocompleteInteraction,
  action: Pick<Action, 'options'>,
): RawOptions {
  const entries = Object.keys(action.options).map((name) => {
    const value = options.get(name)?.value;
    return [name, typeof value === 'string' || typeof value === 'number' ? value : undefined];
  });
  return Object.fromEntries(entries);
}
