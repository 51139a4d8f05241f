import { readFileSync, writeFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from './document.ts';

const COMMITTED = new URL('../../openapi.json', import.meta.url);

describe('the OpenAPI document', () => {
  test('is the committed openapi.json (UPDATE_OPENAPI=1 rewrites it)', () => {
    const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
    if (process.env.UPDATE_OPENAPI) writeFileSync(COMMITTED, text);
    expect(readFileSync(COMMITTED, 'utf8')).toBe(text);
  });

  test('is valid OpenAPI 3.1', async () => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(openApiDocument())));
    expect(result).toMatchObject({ valid: true });
    expect(openApiDocument().openapi).toBe('3.1.0');
  });
});
