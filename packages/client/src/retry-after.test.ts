import { expect, test } from 'vitest';
import { retryAfterSeconds } from './retry-after.ts';

const SENT_AT = 'Wed, 21 Oct 2026 07:28:00 GMT';

test.each([
  [null, undefined],
  ['3', 3],
  ['0.25', 0.25],
  ['Wed, 21 Oct 2026 07:28:30 GMT', 30],
  ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
  ['soon', undefined],
])('reads %j as %j seconds', (header, seconds) => {
  // The local clock differs from it by years.
  expect(retryAfterSeconds(header, SENT_AT)).toBe(seconds);
});
