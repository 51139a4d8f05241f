import { type FieldChanges, type HistoryEntry, LANGUAGES } from '@guild-settings/contract';
import { translatorOf } from '@guild-settings/testing/bot';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeLines, conflictLine, entryText } from './change-texts.ts';

const english = translatorOf({ language: 'en-US' });

/** Maximum code points of one change: the text around it fits into a message of 2,000. */
const LONGEST = 1_600;

function entry(changes: FieldChanges, more: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    revision: 42,
    at: '2026-11-22T08:00:00.000Z',
    kind: 'settings',
    actor: { kind: 'user', id: '1200000000000000001' },
    origin: 'bot',
    reason: null,
    changes,
    ...more,
  };
}

test('a change of several settings is a line about it, and a line for each', () => {
  const changes = { prefix: { from: '!', to: '' }, beta: { from: false, to: true } };
  expect(entryText(entry(changes, { reason: 'by the team', undoes: 41, undoneBy: 43 }), english).split('\n')).toEqual([
    '**#42** · <t:1795334400:R> · <@1200000000000000001> undid change #41 · Undone by change #43 · `by the team`',
    '- **prefix**: `!` → none',
    '- **beta**: off → on',
  ]);
});

test('a field, a value and an author that this version does not know are shown as they are', () => {
  const changes = { language: { from: 'en-US', to: 'fr' }, colour: { from: null, to: { red: 1 } } };
  expect(changeLines(changes, english)).toEqual([
    '- **language**: `English` → `French`',
    '- **`colour`**: none → `{"red":1}`',
  ]);
  const actor = { kind: 'automation', id: '7' } as unknown as HistoryEntry['actor'];
  expect(entryText(entry({}, { actor }), english)).toContain(' · `automation` ');
});

describe.each(LANGUAGES)('in %s', (language) => {
  const translator = translatorOf({ language });
  const long = (character: string, length: number) => character.repeat(length);
  const names = Array.from({ length: 64 }, (_, n) => `${n}${long('`', 62)}`);

  test('the longest change fits into a message', () => {
    const features = { from: names.slice(0, 32), to: names.slice(32) };
    const value = { from: { text: long('`', 500) }, to: long('🍵', 500) };
    const changes: FieldChanges = {
      prefix: { from: long('`', 20), to: long('🍵', 20) },
      announcement_channel: { from: long('`', 100), to: long('🍵', 100) },
      beta: { from: true, to: false },
      language: { from: 'en-US', to: 'es-ES' },
      enabledFeatures: features,
      ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${n}${long('`', 500)}`, value])),
    };
    const revision = Number.MAX_SAFE_INTEGER;
    const more = { revision, undoes: revision, undoneBy: revision, reason: long('🍵', 512) };
    expect([...entryText(entry(changes, more), translator)].length).toBeLessThanOrEqual(LONGEST);
    const { enabledFeatures: _, ...others } = changes;
    const reordered = { ...others, enabledFeatures: { from: names, to: names.toReversed() } };
    expect([...entryText(entry(reordered, more), translator)].length).toBeLessThanOrEqual(LONGEST);
  });

  test('what people wrote is code, which neither formats nor mentions anything', () => {
    const piece = fc.constantFrom('`', '*', '_', '@', '<', '>', '#', '&', '[', '](x)', '~', '|', 'a', '\\');
    const written = fc.string({ unit: piece, minLength: 1 });
    const textOf = (before: string, after: string, name: string) => {
      const changes: FieldChanges = {
        prefix: { from: before, to: after },
        announcement_channel: { from: `x${before}`, to: `x${after}` },
        enabledFeatures: { from: [], to: [name] },
        [`new ${name}`]: { from: before, to: { [name]: after } },
      };
      return entryText(entry(changes, { reason: name }), translator);
    };
    const outsideOfCode = (text: string) => text.replaceAll(/``[^\n]+?``(?!`)|`[^`\n]+`/g, 'CODE');
    const property = fc.property(written, written, written, (before, after, name) => {
      const text = textOf(before, after, name);
      expect(outsideOfCode(text)).toBe(outsideOfCode(textOf('a', 'b', 'c')));
      const conflict = { field: 'prefix', from: before, to: after, ...entry({}) };
      expect(outsideOfCode(conflictLine(conflict, translator))).toContain('CODE');
    });
    // A failure prints its seed.
    fc.assert(property, { numRuns: 40 });
  });
});
