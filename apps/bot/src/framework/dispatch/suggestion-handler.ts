import type { AutocompleteInteraction } from 'discord.js';
import { findAction } from '../find-command.ts';
import { offered } from '../suggested-values.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { invocationOf } from './interaction-invocation.ts';
import { rawOptionsOf } from './raw-options.ts';

const MAX_CHOICES = 25;

/** Handles what is typed into options: offers values from memory, as often as the person types. */
export function suggestionHandler(options: DispatchOptions): (interaction: AutocompleteInteraction) => Promise<void> {
  return async (interaction) => {
    // The person alone sees the suggestions, so they are in the language of the person.
    const invocation = invocationOf(interaction, interaction.id, options, true);
    const found = findAction(options.commands, interaction.commandName, interaction.options.getSubcommand(false));
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
