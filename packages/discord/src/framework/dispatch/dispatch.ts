import {
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type Client,
  Events,
  type Interaction,
  type Message,
} from 'discord.js';
import { type Action, type CommandServices, findSlashAction, offered, suggestedValues } from '../command.ts';
import { checkOptions, type RawOptions } from '../options.ts';
import { buttonHandler, formHandler } from './buttons-and-forms.ts';
import { type InteractionReply, invocationOf, permitted, sendReply } from './interactions.ts';
import { messageHandler } from './message-handler.ts';
import { cooldownReply, type DispatchOptions, runAction } from './run-action.ts';

export interface Dispatcher {
  /** Ignores further events. Resolves when the commands that run have replied. */
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

/** Handles what is typed into options: offers values from memory, as often as the person types. */
function suggestionHandler<Services extends CommandServices>(
  options: DispatchOptions<Services>,
): (interaction: AutocompleteInteraction) => Promise<void> {
  return async (interaction) => {
    // The person alone sees the suggestions, so they are in the language of the person.
    const invocation = invocationOf(interaction, interaction.id, options, true);
    const found = findSlashAction(options.commands, interaction.commandName, interaction.options.getSubcommand(false));
    const { name, value } = interaction.options.getFocused(true);
    const suggest = found?.action.suggest(name);
    if (invocation === undefined || found === undefined || suggest === undefined) return;
    const values = rawOptionsOf(interaction, found.action);
    const { translator } = invocation;
    const suggestions = suggest({ invocation, translator, typed: String(value), values, services: options.services });
    const choices = offered(suggestions).slice(0, MAX_CHOICES);
    await interaction.respond(choices.map(({ name: shown, value: chosen }) => ({ name: shown, value: chosen })));
  };
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
