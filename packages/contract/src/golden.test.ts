import { expect, test } from 'vitest';
import { z } from 'zod';
import { GuildExport, guildExportSchema } from './export.ts';
import { EnableFeatureInput } from './feature-input.ts';
import { DEFAULT_SETTINGS, Guild, GuildSettings, RecordSettings } from './guild.ts';
import { GuildPatch } from './guild-patch.ts';
import { ImportRow } from './import.ts';

/** Schemas that contain settings, and if they are for requests or responses. */
const SCHEMAS = [
  ['EnableFeatureInput', EnableFeatureInput, 'input'],
  ['Guild', Guild, 'output'],
  ['GuildExport', GuildExport, 'output'],
  ['GuildPatch', GuildPatch, 'input'],
  ['GuildSettings', GuildSettings, 'input'],
  ['ImportRow', ImportRow, 'input'],
  ['RecordSettings', RecordSettings, 'output'],
] as const;

test.each(SCHEMAS)('the JSON Schema of %s is as it was recorded', (name, schema, io) =>
  expect(`${JSON.stringify(z.toJSONSchema(schema, { target: 'openapi-3.0', io }), null, 1)}\n`).toMatchFileSnapshot(
    `golden/${name}.json`,
  ),
);

test('the published JSON Schema of exports is that of the code', () =>
  expect(`${JSON.stringify(guildExportSchema(), null, 2)}\n`).toMatchFileSnapshot('../schemas/guild-export.v1.json'));

test('the defaults are as they were recorded, in their order', () =>
  expect(`${JSON.stringify(DEFAULT_SETTINGS)}\n`).toMatchFileSnapshot('golden/defaults.json'));
