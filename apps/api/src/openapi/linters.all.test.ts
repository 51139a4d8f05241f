import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DeclaredSettings } from '@guild-settings/contract';
import { temporaryFolder } from '@guild-settings/testing';
import { EVERY_KIND } from '@guild-settings/testing/every-kind';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from './document.ts';

const COMMITTED = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');

const DECLARED = JSON.stringify(openApiDocument(new DeclaredSettings(EVERY_KIND, '0123abcd')));

const SPECTRAL_OFF = {
  // The document does not name the operator of a service.
  'info-contact': 'off',
  // The license has an SPDX identifier, which excludes a URL (OpenAPI 3.1, section 4.8.4).
  'license-url': 'off',
  // examples.test.ts validates all examples. This rule recompiles their schemas for each one, which takes seconds.
  'oas3-valid-media-example': 'off',
} as const;

const REDOCLY_OFF = {
  // / only redirects.
  'operation-2xx-response': 'off',
} as const;

describe.each([
  ['that is committed', COMMITTED],
  ['of a deployment with settings of every kind', DECLARED],
])('the OpenAPI document %s', (_, source) => {
  test('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(JSON.parse(source))).toMatchObject({ valid: true });
  });

  test('has no error and no warning of Spectral', async () => {
    const spectral = new Spectral();
    // The type of the ruleset is not exact enough for Spectral's own type of rulesets.
    const ruleset = { extends: [[oas, 'all']], rules: SPECTRAL_OFF } as object;
    spectral.setRuleset(ruleset as Parameters<typeof spectral.setRuleset>[0]);
    const results = await spectral.run(JSON.parse(source));
    expect(results.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`)).toEqual([]);
  });

  test('has no error and no warning of Redocly, and no error by its default rules', async () => {
    expect(await redoclyProblems(source, { extends: ['recommended-strict'], rules: REDOCLY_OFF })).toEqual([]);
    const byDefault = await redoclyProblems(source, { extends: ['recommended'] });
    expect(byDefault.filter((problem) => problem.startsWith('error'))).toEqual([]);
  });
});

async function redoclyProblems(source: string, rules: Parameters<typeof createConfig>[0]): Promise<string[]> {
  const config = await createConfig(rules);
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems.map(
    ({ severity, ruleId, message, location }) => `${severity}: ${ruleId} at ${location[0]?.pointer}: ${message}`,
  );
}

/** The folder whose installation has a client generator and the compiler that it requires. */
const GENERATOR = fileURLToPath(new URL('../../../../examples/typescript/node_modules/.bin/', import.meta.url));

const CLIENT = `import type { components } from './schema.d.ts';
type Custom = components['schemas']['Guild']['custom'];
type Patch = components['schemas']['GuildPatch'];
export const shown = ({ number, table }: Custom): number[] => [number, ...table.map(({ level }) => level)];
export const patches: Patch[] = [
  { custom: { number: 1.5, table: [{ level: 5, role: '381870553235193858' }], color: '#5865F2', users: [] } },
  { custom: { table: [{ level: 5 }], number: null } },
];
// @ts-expect-error a number as text
export const text: Patch = { custom: { number: '1.5' } };
// @ts-expect-error a row without a level
export const row: Patch = { custom: { table: [{ role: '' }] } };
// @ts-expect-error a cell that rows do not have
export const cell: Patch = { custom: { table: [{ level: 5, name: '' }] } };
`;

test('a client that is generated for a deployment has the types of numbers, lists and rows', () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('openapi.json'), DECLARED);
  writeFileSync(folder.file('client.ts'), CLIENT);
  const run = (program: string, args: readonly string[]) =>
    spawnSync(`${GENERATOR}${program}`, args, { encoding: 'utf8' }).stdout;
  run('openapi-typescript', [folder.file('openapi.json'), '--output', folder.file('schema.d.ts')]);
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
  expect(run('tsc', [...options, '--allowImportingTsExtensions', folder.file('client.ts')])).toBe('');
});
