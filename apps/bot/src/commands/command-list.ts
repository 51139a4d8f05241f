import type { Command } from '../framework/command.ts';
import { about } from './about.ts';
import { announce } from './announce.ts';
import { help } from './help.ts';
import { ping } from './ping.ts';
import { remind } from './remind/remind.ts';
import { settings } from './settings/settings.ts';

/** All commands of the bot. */
export const COMMANDS: readonly Command[] = [help(() => COMMANDS), ping, about, settings, announce, remind];
