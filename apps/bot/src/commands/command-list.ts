import type { Command } from '../framework/command.ts';
import { about } from './about.ts';
import { announce } from './announce.ts';
import { help } from './help.ts';
import { ping } from './ping.ts';
import { add } from './remind/add.ts';
import { cancel } from './remind/cancel.ts';
import { every } from './remind/every.ts';
import { list } from './remind/list.ts';
import { access } from './settings/access.ts';
import { add as addToList } from './settings/add.ts';
import { history } from './settings/history.ts';
import { remove } from './settings/remove.ts';
import { reset } from './settings/reset.ts';
import { set } from './settings/set.ts';
import { show } from './settings/show.ts';
import { disable, enable } from './settings/switch-feature.ts';
import { undo } from './settings/undo.ts';

const settings: Command = {
  name: 'settings',
  forManagers: true,
  bare: 'show',
  subcommands: { show, set, add: addToList, remove, enable, disable, reset, history, undo, access },
};

const remind: Command = { name: 'remind', subcommands: { add, every, list, cancel } };

export const COMMANDS: readonly Command[] = [help(() => COMMANDS), ping, about, settings, announce, remind];
