import { PROBLEM_SLUGS } from '@guild-settings/contract';
import { type Place, placesOf } from '@guild-settings/testing/contract-check';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from './document.ts';

const DOCUMENT = JSON.parse(JSON.stringify(openApiDocument()));
const PLACES = placesOf(DOCUMENT);

const ajv = new Ajv2020({ strict: false, allErrors: true, unicodeRegExp: true, validateFormats: false });
ajv.addSchema(DOCUMENT, 'document');
const validators = new Map<string, ValidateFunction>();

interface Example {
  readonly value?: unknown;
  readonly $ref?: string;
}

/** Returns the examples of a schema, parameter, header or media type, and the reference to their schema. */
function examplesAt({ pointer, value }: Place): { schema: string; values: unknown[] } {
  const { example, examples, schema } = value;
  if (Array.isArray(examples)) return { schema: `#${pointer}`, values: examples };
  if (schema === undefined) return { schema: '', values: [] };
  const described = Object.values((examples ?? {}) as Record<string, Example>).map(dataOf);
  const { $ref = `#${pointer}/schema` } = schema as Example;
  return { schema: $ref, values: example === undefined ? described : [example, ...described] };
}

function dataOf({ $ref, value }: Example): unknown {
  const name = $ref?.replace('#/components/examples/', '');
  return name === undefined ? value : DOCUMENT.components.examples[name].value;
}

function validatorOf(schema: string): ValidateFunction {
  const escaped = schema.slice(1).split('/').map(encodeURIComponent).join('/');
  const validate = validators.get(schema) ?? ajv.compile({ $ref: `document#${escaped}` });
  validators.set(schema, validate);
  return validate;
}

describe('the examples of the document', () => {
  test('are valid by the schemas that they are examples of', () => {
    const checked = PLACES.map(examplesAt).flatMap(({ schema, values }) =>
      values.map((value) => {
        const validate = validatorOf(schema);
        return validate(value) ? [] : [{ schema, value, errors: validate.errors }];
      }),
    );
    expect(checked.length).toBeGreaterThan(80);
    expect(checked.flat()).toEqual([]);
  });

  test('show every problem of the catalogue, but those of declared settings and of a method which the document does not list', () => {
    const shown = new Set(
      JSON.stringify(DOCUMENT.components.responses).match(/(?<=#\/components\/examples\/)[a-z-]+/g),
    );
    expect(PROBLEM_SLUGS.filter((slug) => !shown.has(slug))).toEqual(['reserved-setting', 'method-not-allowed']);
  });
});
