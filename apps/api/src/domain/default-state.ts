import type { GuildState } from '../store/store.ts';

/** State of a guild that has no row: nothing is set, presence unknown. */
export const DEFAULT_STATE: GuildState = Object.freeze({
  name: null,
  icon: null,
  settings: Object.freeze({}),
  presence: 'unknown',
  leftAt: null,
  logged: { day: 0, bytes: 0 },
});
