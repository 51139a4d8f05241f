import type { Command } from '../framework/command.ts';
import { about } from './about.ts';
import { announce } from './announce.ts';
import { help } from './help.ts';
import { ping } from './ping.ts';
import { add, every } from './remind/add.ts';
import { cancel } from './remind/cancel.ts';
import { list } from './remind/list.ts';
import { access } from './settings/access.ts';
import { add as addToList, disable, enable, remove } from './settings/change-list.ts';
import { history } from './settings/history.ts';
import { reset } from './settings/reset.ts';
import { set } from './settings/set.ts';
import { show } from './settings/show.ts';
import { undo } from './settings/undo.ts';

const settings: Command = {
  name: 'settings',
  forManagers: true,
  bare: 'show',
  subcommands: { show, set, add: addToList, remove, enable, disable, reset, history, undo, access },
};

const remind: Command = { name: 'remind', subcommands: { add, every, list, cancel } };

export const COMMANDS: readonly Command[] = [help(() => COMMANDS), ping, about, settings, announce, remind];
