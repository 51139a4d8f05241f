import type { Command } from '../../framework/command.ts';
import { add } from './add.ts';
import { cancel } from './cancel.ts';
import { every } from './every.ts';
import { list } from './list.ts';

/** Adds, lists and cancels reminders, in guilds with the feature `reminders`. */
export const remind: Command = { name: 'remind', subcommands: { add, every, list, cancel } };
