import { expect, test } from 'vitest';
import { saveFailureOf } from './outcome.ts';

test.each([
  ['discord-unavailable', 'unreachable'],
  ['store-unavailable', 'unreachable'],
  ['request-timeout', 'unreachable'],
  ['write-unconfirmed', 'unconfirmed'],
  ['commit-delayed', 'unconfirmed'],
  [undefined, 'unconfirmed'],
])('a service that is unavailable for the reason %s leaves a change %s', (slug, failure) => {
  expect(saveFailureOf('unavailable', slug)).toBe(failure);
});
