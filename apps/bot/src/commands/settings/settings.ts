import type { Command } from '../../framework/command.ts';
import { reset } from './reset.ts';
import { set } from './set.ts';
import { show } from './show.ts';

/** A guild's settings, for those who manage it. */
export const settings: Command = { name: 'settings', forManagers: true, subcommands: { show, set, reset } };
