import { LIST_STATES, LOGIN_STATES } from './testing/dashboard-states/first-states.ts';
import { HISTORY_STATES } from './testing/dashboard-states/history-states.ts';
import { SESSION_OVER_STATES, SESSIONS_STATES } from './testing/dashboard-states/sessions-states.ts';
import { testStates } from './testing/dashboard-states/test-states.ts';
import { DANGER_STATES, TRANSFER_STATES } from './testing/dashboard-states/transfer-states.ts';
import { PARTS } from './testing/page-texts.ts';

const STATES = [
  ...LOGIN_STATES,
  ...LIST_STATES,
  ...SESSIONS_STATES,
  ...HISTORY_STATES,
  ...TRANSFER_STATES,
  ...DANGER_STATES,
  ...SESSION_OVER_STATES,
];

testStates('every state of the dashboard, but for its settings', STATES, {
  parts: PARTS.filter((part) => part !== 'settings'),
});
