import { expect, test } from 'vitest';
import { LIMITS } from '../limits.ts';
import { checkDeclaration } from './check-declaration.ts';
import type { Declaration } from './declaration.ts';
import { DECLARATION_LIMITS } from './declaration-schemas.ts';
import { DeclaredSettings, SPECIFIED_SETTINGS } from './declared-settings.ts';
import { MAX_PATCH_BODY_BYTES, maxRecordBytes, patchBodyBytes } from './record-bytes.ts';
import { maxBytes, type Setting } from './setting.ts';

const label = { 'en-US': 'A label' };

const DECLARED = new DeclaredSettings({
  settings: {
    on: { kind: 'switch', label },
    message: { kind: 'text', lines: 'many', max: 500, label },
    words: { kind: 'text', max: 20, many: { max: 3 }, label },
    level: { kind: 'choice', choices: { a: label, すべて: label }, default: 'a', label },
    rate: { kind: 'integer', min: -1_000, max: 5, default: 0, label },
    roles: { kind: 'role', many: { max: 2 }, label },
  },
} satisfies Declaration);

/** The longest values: code points of four bytes each. */
const emoji = (count: number) => '🎉'.repeat(count);
const id = '9'.repeat(20);
const SPECIFIED = Object.fromEntries(SPECIFIED_SETTINGS.all.map((setting) => [setting.name, longest(setting)]));
const RECORD = { id, name: emoji(100), icon: emoji(64), ...SPECIFIED };
const CUSTOM = {
  on: false,
  message: emoji(500),
  words: [emoji(20), emoji(20), emoji(20)],
  level: 'すべて',
  rate: -1_000,
  roles: [id, id],
};

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Returns the longest value of a specified setting. Kinds without a text are measured in CUSTOM: their bytes are filled. */
function longest(setting: Setting): unknown {
  const { declared, many } = setting;
  const length = declared.open ?? declared.anyText ?? (declared.kind === 'text' ? declared.max : undefined);
  if (length === undefined) return 'x'.repeat(maxBytes(setting) - '""'.length);
  return many === undefined ? emoji(length) : Array.from({ length: many.max }, () => emoji(length));
}

/** Commas and brackets are counted for each part. */
const TOLERANCE = 8;

test.each([
  ['without declared settings', SPECIFIED_SETTINGS, RECORD],
  ['with declared settings', DECLARED, { ...RECORD, custom: CUSTOM }],
])('the largest record %s has the bytes that were computed', (_, declared, record) => {
  expect(maxRecordBytes(declared)).toBeGreaterThanOrEqual(bytes(record));
  expect(maxRecordBytes(declared) - bytes(record)).toBeLessThanOrEqual(TOLERANCE);
});

test('the body of a PATCH holds the largest declared settings also where every character is escaped', () => {
  const escaped = JSON.stringify(CUSTOM).replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
  expect(patchBodyBytes(DECLARED)).toBeGreaterThanOrEqual(LIMITS.bodyBytes + escaped.length);
  expect(patchBodyBytes(SPECIFIED_SETTINGS)).toBe(LIMITS.bodyBytes);
});

test('the largest declaration that is accepted has no larger body than any deployment', () => {
  const free = DECLARATION_LIMITS.recordBytes - maxRecordBytes(SPECIFIED_SETTINGS);
  const declarationOf = (max: number) => {
    const names = Array.from({ length: 8 }, (_, index) => `text${index}`);
    return { settings: Object.fromEntries(names.map((name) => [name, { kind: 'text', max, label } as const])) };
  };
  // Eight texts with code points of four bytes.
  const most = Math.floor(free / 8 / 4);
  const declared = declarationOf(most - 8);
  expect([checkDeclaration(declared).flaws, checkDeclaration(declarationOf(most)).flaws]).toEqual([
    undefined,
    [expect.anything()],
  ]);
  expect(patchBodyBytes(new DeclaredSettings(declared))).toBeLessThanOrEqual(MAX_PATCH_BODY_BYTES);
});
