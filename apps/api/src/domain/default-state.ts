import { DEFAULT_SETTINGS } from '@guild-settings/contract';
import type { GuildState } from '../store/store.ts';

/** State of a guild that has no row: default settings, presence unknown. */
export const DEFAULT_STATE: GuildState = Object.freeze({
  name: null,
  icon: null,
  settings: DEFAULT_SETTINGS,
  presence: 'unknown',
  leftAt: null,
  logged: { day: 0, bytes: 0 },
});
