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
  // The links of the page are relative to /docs/, and /docs leads there.
  'path-keys-no-trailing-slash': 'off',
  // examples.test.ts validates all examples. This rule compiles their schemas again for each one, which takes seconds.
  'oas3-valid-media-example': 'off',
} as const;

const REDOCLY_OFF = {
  // As for Spectral.
  'no-path-trailing-slash': 'off',
  // / and /docs only redirect.
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

  test('has no error and no warning of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended-strict'], rules: REDOCLY_OFF });
    const problems = await lintFromString({ source: COMMITTED, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)).toEqual(
      [],
    );
  });
});
