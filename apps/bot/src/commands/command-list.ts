import { settingsCommandOf } from '@guild-settings/discord/framework';
import { about } from './about.ts';
import { announce } from './announce.ts';
import { help } from './help.ts';
import { ping } from './ping.ts';
import { add, every } from './remind/add.ts';
import { cancel } from './remind/cancel.ts';
import { list } from './remind/list.ts';
import type { BotCommand } from './services.ts';

const remind: BotCommand = { name: 'remind', subcommands: { add, every, list, cancel } };

export const COMMANDS: readonly BotCommand[] = [
  help(() => COMMANDS),
  ping,
  about,
  settingsCommandOf(),
  announce,
  remind,
];
