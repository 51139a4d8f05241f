import { readFileSync } from 'node:fs';
import { anyGuild } from '@guild-settings/testing/arbitraries';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exportOf, GuildExport } from './export.ts';
import { DEFAULT_SETTINGS } from './guild.ts';
import { ImportDocument } from './import.ts';

const PUBLISHED = new URL('../schemas/guild-export.v1.json', import.meta.url);

const SOURCE = {
  guild: { id: '197038439483310086', name: 'Discord Testers', icon: null, ...DEFAULT_SETTINGS },
  revision: 42,
  exportedAtMs: Date.UTC(2026, 10, 22),
};

describe('the published JSON Schema of exports', () => {
  test('accepts the export of any guild, also with fields of a later version', () => {
    const isValid = publishedValidator();
    fc.assert(
      fc.property(anyGuild, (guild) => {
        const document = exportOf({ ...SOURCE, guild });
        expect(isValid(document), JSON.stringify(isValid.errors)).toBe(true);
        expect(isValid({ ...document, theme: 'dark', settings: { ...document.settings, colour: 'red' } })).toBe(true);
      }),
    );
  });

  test.each<[string, object]>([
    ['another version', { version: 2 }],
    ['a setting of another type', { settings: { ...DEFAULT_SETTINGS, beta: 'no' } }],
    ['a missing setting', { settings: { ...DEFAULT_SETTINGS, prefix: undefined } }],
    ['no guild', { guild: undefined }],
    ['a time that is none', { exportedAt: 'yesterday' }],
    ['a history without its end', { history: { entries: [] } }],
  ])('refuses %s', (_name, change) => {
    expect(publishedValidator()(JSON.parse(JSON.stringify({ ...exportOf(SOURCE), ...change })))).toBe(false);
  });
});

test('an import takes every export as it is', () => {
  fc.assert(
    fc.property(anyGuild, (guild) => {
      const document = exportOf({ ...SOURCE, guild });
      expect(ImportDocument.parse(GuildExport.parse(document))).toEqual(document);
    }),
  );
});

let compiled: ValidateFunction | undefined;

/** Returns the validator of the published file, compiled once. */
function publishedValidator(): ValidateFunction {
  if (compiled !== undefined) return compiled;
  const ajv = new Ajv2020({ allErrors: true, unicodeRegExp: true });
  addFormats.default(ajv);
  compiled = ajv.compile(JSON.parse(readFileSync(PUBLISHED, 'utf8')));
  return compiled;
}
