import { LIST_STATES, LOGIN_STATES, SESSION_OVER_STATES } from './testing/dashboard-states/first-states.ts';
import { HISTORY_STATES } from './testing/dashboard-states/history-states.ts';
import { testStates } from './testing/dashboard-states/test-states.ts';
import { DANGER_STATES, TRANSFER_STATES } from './testing/dashboard-states/transfer-states.ts';

testStates('every state of the dashboard, but for its settings', [
  ...LOGIN_STATES,
  ...LIST_STATES,
  ...HISTORY_STATES,
  ...TRANSFER_STATES,
  ...DANGER_STATES,
  ...SESSION_OVER_STATES,
]);
