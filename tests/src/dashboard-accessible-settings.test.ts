import { SAVE_STATES } from './testing/dashboard-states/save-states.ts';
import { SETTINGS_STATES } from './testing/dashboard-states/settings-states.ts';
import { testStates } from './testing/dashboard-states/test-states.ts';

testStates('every state of the settings page', [...SETTINGS_STATES, ...SAVE_STATES], { parts: ['settings'] });
