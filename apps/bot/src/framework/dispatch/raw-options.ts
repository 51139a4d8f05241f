import type { AutocompleteInteraction, ChatInputCommandInteraction } from 'discord.js';
import type { Action } from '../command.ts';
import type { RawOptions } from '../options.ts';

export function rawOptionsOf(
  { options }: ChatInputCommandInteraction | AutocompleteInteraction,
  action: Action,
): RawOptions {
  const entries = Object.keys(action.options).map((name) => {
    const value = options.get(name)?.value;
    return [name, typeof value === 'string' || typeof value === 'number' ? value : undefined];
  });
  return Object.fromEntries(entries);
}
