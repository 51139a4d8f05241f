import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, test } from 'vitest';

const COMMITTED = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');

const SPECTRAL_OFF = {
  // The document does not know who operates a service.
  'info-contact': 'off',
  // The license has an SPDX identifier, which excludes a URL (OpenAPI 3.1, section 4.8.4).
  'license-url': 'off',
  // examples.test.ts validates all examples. This rule compiles their schemas again for each one, which takes seconds.
  'oas3-valid-media-example': 'off',
} as const;

const REDOCLY_OFF = {
  // / only redirects.
  'operation-2xx-response': 'off',
} as const;

describe('the committed OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    expect(await new Validator().validate(JSON.parse(COMMITTED))).toMatchObject({ valid: true });
  });

  test('has no error and no warning of Spectral', async () => {
    const spectral = new Spectral();
    // The type of the ruleset is not exact enough for Spectral's own type of rulesets.
    const ruleset = { extends: [[oas, 'all']], rules: SPECTRAL_OFF } as object;
    spectral.setRuleset(ruleset as Parameters<typeof spectral.setRuleset>[0]);
    const results = await spectral.run(JSON.parse(COMMITTED));
    expect(results.map(({ code, path, message }) => `${code} at ${path.join('.')}: ${message}`)).toEqual([]);
  });

  test('has no error and no warning of Redocly, and no error by its default rules', async () => {
    expect(await redoclyProblems({ extends: ['recommended-strict'], rules: REDOCLY_OFF })).toEqual([]);
    const byDefault = await redoclyProblems({ extends: ['recommended'] });
    expect(byDefault.filter((problem) => problem.startsWith('error'))).toEqual([]);
  });
});

async function redoclyProblems(rules: Parameters<typeof createConfig>[0]): Promise<string[]> {
  const config = await createConfig(rules);
  const problems = await lintFromString({ source: COMMITTED, absoluteRef: 'openapi.json', config });
  return problems.map(
    ({ severity, ruleId, message, location }) => `${severity}: ${ruleId} at ${location[0]?.pointer}: ${message}`,
  );
}
