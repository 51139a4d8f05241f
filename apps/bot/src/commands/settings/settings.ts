import type { Command } from '../../framework/command.ts';
import { reset } from './reset.ts';
import { set } from './set.ts';
import { show } from './show.ts';

/** Shows and changes a guild's settings, for its managers. */
export const settings: Command = { name: 'settings', forManagers: true, subcommands: { show, set, reset } };
