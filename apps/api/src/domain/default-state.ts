import type { GuildState } from '../store/guild-store.ts';

/** State of a guild that has no row: nothing is set, presence unknown. */
export const DEFAULT_STATE: GuildState = Object.freeze({
  name: null,
  icon: null,
  settings: Object.freeze({}),
  access: null,
  presence: 'unknown',
  leftAt: null,
  logged: { day: 0, bytes: 0 },
});

/** State of a guild that was erased while the bot was in it. A later report of the bot that it has left is refused before. */
const ERASED_STATE: GuildState = { ...DEFAULT_STATE, presence: 'present' };

/** Returns the state of a guild without a row. @param wasPresent whether the bot was in it when it was erased last */
export function stateWithoutRow(wasPresent: boolean): GuildState {
  return wasPresent ? ERASED_STATE : DEFAULT_STATE;
}
