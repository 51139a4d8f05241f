import { afterEach } from 'vitest';
import { checkCalls } from './checked-calls.ts';

// Every test fails whose calls deviate from Discord's document.
afterEach(() => {
  const found = checkCalls();
  if (found.length > 0) throw new Error(`Calls deviate from Discord's OpenAPI document:\n${found.join('\n')}`);
});
