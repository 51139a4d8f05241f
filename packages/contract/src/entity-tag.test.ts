import { expect, test } from 'vitest';
import { revisionOf, tagOf, versionIn } from './entity-tag.ts';

const EPOCH = '0k3x9w2a5q';
const DECLARATION = '1a2b3c4d';

test.each([
  ['"7"', { revision: 7 }],
  ['W/"7"', { revision: 7 }],
  ['7', { revision: 7 }],
  ['"0"', { revision: 0 }],
  [`"0-${DECLARATION}"`, { revision: 0 }],
  [`"7-${DECLARATION}"`, { revision: 7 }],
  [`"7-${EPOCH}"`, { revision: 7, epoch: EPOCH }],
  [`W/"7-${EPOCH}${DECLARATION}"`, { revision: 7, epoch: EPOCH }],
  [`"7-${EPOCH}-gzip"`, { revision: 7, epoch: EPOCH }],
  [`"7-${EPOCH}--gzip"`, { revision: 7, epoch: EPOCH }],
  ['"7-br"', { revision: 7 }],
  ['"7-"', undefined],
  ['"x"', undefined],
  ['*', undefined],
  ['', undefined],
])('the entity tag %s names %j', (entityTag, version) => {
  expect(versionIn(entityTag)).toEqual(version);
  expect(revisionOf(entityTag)).toBe(version?.revision);
});

test.each([
  [{ revision: 7, epoch: EPOCH }, undefined, `7-${EPOCH}`],
  [{ revision: 7, epoch: EPOCH }, DECLARATION, `7-${EPOCH}${DECLARATION}`],
  [{ revision: 0, epoch: EPOCH }, undefined, '0'],
  [{ revision: 0, epoch: '' }, DECLARATION, `0-${DECLARATION}`],
])('the tag of %j with the declaration %s is %s, as a reader of 1.0.0 takes it', (version, declarationTag, tag) => {
  expect(tagOf(version, declarationTag)).toBe(tag);
  expect(`"${tag}"`).toMatch(/^(?:W\/)?"?(0|[1-9]\d{0,14})(?:-[0-9a-z]{1,64})?"?$/);
});
