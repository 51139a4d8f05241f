import { PHONE } from './testing/dashboard-states/stage.ts';
import { testStates } from './testing/state-tests.ts';

/** States in which no other test of a browser ends. */
const STATES = [
  'login from a link to a page',
  'list of many',
  'list, service gone',
  'guild of others',
  'settings, invalid',
  'settings, features cannot be listed',
  'settings, conflict',
  'history, question before an undo',
  'change that is not on record',
  'transfer, values refused',
  'danger, erased',
  'access, changed by another manager',
  'own settings, changed',
];

// Russian has the longest texts.
testStates({ readIn: ['en-US', 'ru'], operatedIn: ['en-US'], widths: [PHONE], colors: ['light'] }, STATES);
