import { ACCESS_STATES } from './access-states.ts';
import { LIST_STATES, LOGIN_STATES } from './first-states.ts';
import { HISTORY_STATES } from './history-states.ts';
import { OWN_STATES } from './own-states.ts';
import { SAVE_STATES } from './save-states.ts';
import { SESSION_OVER_STATES, SESSIONS_STATES } from './sessions-states.ts';
import { SETTINGS_STATES } from './settings-states.ts';
import { type DashboardState, listed } from './stage.ts';
import { DANGER_STATES, TRANSFER_STATES } from './transfer-states.ts';

/** Everything that the dashboard can show. */
export const DASHBOARD_STATES: readonly DashboardState[] = listed({
  ...LOGIN_STATES,
  ...LIST_STATES,
  ...SESSIONS_STATES,
  ...SETTINGS_STATES,
  ...SAVE_STATES,
  ...HISTORY_STATES,
  ...TRANSFER_STATES,
  ...DANGER_STATES,
  ...ACCESS_STATES,
  ...SESSION_OVER_STATES,
});

/** The states with the settings of a team, in a world that has `OWN_SETTINGS`. */
export const STATES_OF_OWN_SETTINGS: readonly DashboardState[] = listed(OWN_STATES);

/** Returns a state by its name. */
export function stateNamed(name: string) {
  const found = DASHBOARD_STATES.find((state) => state.name === name);
  if (found === undefined) throw new Error(`Expected the name of a state, received "${name}"`);
  return found;
}
