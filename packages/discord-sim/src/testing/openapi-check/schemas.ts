import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from './openapi-document.ts';

const DOCUMENT_URI = 'https://discord.com/openapi.json';

/** Validates values against the schemas of a document. Each schema is compiled once. */
export class Schemas {
  readonly #strict: Ajv2020;
  readonly #coercing: Ajv2020;
  readonly #wrapped = new Map<string, (value: unknown) => string[]>();

  constructor(document: OpenApiDocument) {
    this.#strict = newAjv(document, false);
    this.#coercing = newAjv(document, true);
  }

  /** Returns the errors of a JSON value. */
  errors(pointer: readonly string[], value: unknown): string[] {
    return this.#validator(this.#strict, pointer)(value);
  }

  /** Returns the errors of a text that stands for a value, such as a query parameter. */
  errorsOfText(pointer: readonly string[], text: string): string[] {
    return this.#validator(this.#coercing, pointer)(text);
  }

  #validator(ajv: Ajv2020, pointer: readonly string[]): (value: unknown) => string[] {
    const $ref = `${DOCUMENT_URI}#/${pointer.map((part) => encodeURIComponent(escaped(part))).join('/')}`;
    const key = `${ajv === this.#strict} ${$ref}`;
    const known = this.#wrapped.get(key);
    if (known) return known;
    // Only values inside of an object can be coerced.
    const validate = ajv.compile({ type: 'object', properties: { value: { $ref } }, required: ['value'] });
    const validator = (value: unknown): string[] => (validate({ value }) ? [] : (validate.errors ?? []).map(describe));
    this.#wrapped.set(key, validator);
    return validator;
  }
}

function newAjv(document: OpenApiDocument, coerceTypes: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    allErrors: true,
    coerceTypes,
    // Compiling the large schemas takes longer than the few validations of a test run.
    inlineRefs: false,
    code: { optimize: false },
  });
  // The CommonJS package exports the function as `default` of its default.
  addFormats.default(ajv);
  ajv.addFormat('snowflake', /^[0-9]{1,20}$/);
  ajv.addFormat('nonce', /^/);
  ajv.addSchema(document, DOCUMENT_URI);
  return ajv;
}

function escaped(part: string): string {
  return part.replaceAll('~', '~0').replaceAll('/', '~1');
}

function describe({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath.replace(/^\/value/, '') || '/'} ${message} ${JSON.stringify(params)}`;
}
