import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { placesOf } from '../testing/document-places.ts';
import { openApiDocument } from './document.ts';

const DOCUMENT = JSON.parse(JSON.stringify(openApiDocument()));
const PLACES = placesOf(DOCUMENT);

const ajv = new Ajv2020({ strict: false, allErrors: true, unicodeRegExp: true, validateFormats: false });
ajv.addSchema(DOCUMENT, 'document');

interface Example {
  readonly value?: unknown;
  readonly $ref?: string;
}

/** Returns the examples of a schema, a parameter, a header or a media type, and the pointer of the schema that describes them. */
function examplesAt({ pointer, value }: (typeof PLACES)[number]): { schema: string; values: unknown[] } {
  const { example, examples } = value;
  if (Array.isArray(examples)) return { schema: pointer, values: examples };
  const described = Object.values((examples ?? {}) as Record<string, Example>).map(valueOf);
  return {
    schema: `${pointer}/schema`,
    values: [...('example' in value ? [example] : []), ...('schema' in value ? described : [])],
  };
}

function valueOf({ $ref, value }: Example): unknown {
  const name = $ref?.replace('#/components/examples/', '');
  return name === undefined ? value : DOCUMENT.components.examples[name].value;
}

const escaped = (pointer: string) => pointer.split('/').map(encodeURIComponent).join('/');

describe('the examples of the document', () => {
  test('are valid by the schemas that they are examples of', () => {
    const checked = PLACES.map(examplesAt).flatMap(({ schema, values }) =>
      values.map((value) => {
        const validate = ajv.compile({ $ref: `document#${escaped(schema)}` });
        return validate(value) ? [] : [{ schema, value, errors: validate.errors }];
      }),
    );
    expect(checked.length).toBeGreaterThan(100);
    expect(checked.flat()).toEqual([]);
  });

  test('show every problem at least once', () => {
    const shown = new Set(JSON.stringify(DOCUMENT.paths).match(/#\/components\/examples\/[a-z-]+/g));
    const names = Object.keys(DOCUMENT.components.examples).map((name) => `#/components/examples/${name}`);
    expect(names.filter((name) => !shown.has(name))).toEqual([]);
  });
});
