import { expect, test } from 'vitest';
import { revisionOf } from './entity-tag.ts';

test.each([
  ['"7"', 7],
  ['W/"7"', 7],
  ['"7-1a2b3c4d"', 7],
  ['W/"7-1a2b3c4d"', 7],
  ['7', 7],
  ['"7-"', undefined],
  ['"x"', undefined],
  ['*', undefined],
  ['', undefined],
])('the revision in the entity tag %s is %s', (entityTag, revision) => {
  expect(revisionOf(entityTag)).toBe(revision);
});
