import { test } from 'vitest';
import { expectDeclaredOfModel, expectHistoryOfModel, TIMEOUT_MS, TITLES } from '../src/testing/model-tests.ts';

test(TITLES.history, { timeout: TIMEOUT_MS }, () => expectHistoryOfModel('SQLite', {}));

test(TITLES.declared, { timeout: TIMEOUT_MS }, () => expectDeclaredOfModel('SQLite', {}));
