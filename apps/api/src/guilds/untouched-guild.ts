import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import type { GuildState } from '../store/store.ts';

/** A guild of which nothing is stored: the defaults, and nobody has told whether the bot is in it. */
export const UNTOUCHED: GuildState = Object.freeze({
  name: null,
  icon: null,
  settings: DEFAULT_SETTINGS,
  presence: 'unknown',
  leftAt: null,
  logged: { day: 0, bytes: 0 },
});
