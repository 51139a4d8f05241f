import {
  expectDeclaredOfModel,
  expectHistoryOfModel,
  TIMEOUT_MS,
  TITLES,
} from '@guild-settings/testing/model/model-tests';
import { test } from 'vitest';

test(TITLES.history, { timeout: TIMEOUT_MS }, () => expectHistoryOfModel('SQLite', {}));

test(TITLES.declared, { timeout: TIMEOUT_MS }, () => expectDeclaredOfModel('SQLite', {}));
