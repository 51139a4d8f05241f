import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A request that a server of this process received, with its complete response. */
export interface HttpExchange {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** By lower-case name. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody: string;
  readonly status: number;
  /** By lower-case name. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
}

const BELOW_VERSION = /^\/api(?:\/v[0-9]+)?(\/.*)$/;

/** Paths that Discord only documents in words. */
const NOT_IN_DOCUMENT: ReadonlySet<string> = new Set(['/oauth2/authorize', '/oauth2/token', '/oauth2/token/revoke']);

/** Compares calls with an OpenAPI document. */
export class DeviationFinder {
  readonly #document: OpenApiDocument;
  readonly #schemas: Schemas;

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#schemas = new Schemas(document);
  }

  /**
   * Returns the deviations of an exchange from the document: an undocumented response, or a success for a request that
   * the document does not allow.
   */
  deviations(exchange: HttpExchange): string[] {
    const { method, url, status } = exchange;
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const path = BELOW_VERSION.exec(pathname)?.[1] ?? null;
    if (method === 'OPTIONS' || method === 'HEAD' || path === null || NOT_IN_DOCUMENT.has(path)) return [];
    const operation = isDecodable(path) ? findOperation(this.#document, method, path) : null;
    if (!operation) return this.#unknownOperation(exchange);
    const found = this.#response(operation, exchange);
    if (status < 400) {
      const refused = [...this.#credentials(operation, exchange), ...this.#request(operation, exchange, searchParams)];
      found.push(...refused.map((reason) => `${status} for a request that is not allowed: ${reason}`));
    }
    return found.map((reason) => `${method} ${path} (${operation.description.operationId}): ${reason}`);
  }

  #unknownOperation({ method, url, status, responseBody }: HttpExchange): string[] {
    if (status < 400) return [`${method} ${url}: ${status} for an operation that is not in the document`];
    const errors = this.#schemas.errors(['components', 'schemas', 'ErrorResponse'], parsed(responseBody));
    return errors.map((error) => `${method} ${url}: response ${error}`);
  }

  #credentials({ description }: Operation, { requestHeaders }: HttpExchange): string[] {
    const { authorization = '' } = requestHeaders;
    const alternatives = description.security ?? [];
    const fits = alternatives.some((alternative) => {
      if (Object.keys(alternative).length === 0) return true;
      if ('BotToken' in alternative && /^Bot /i.test(authorization)) return true;
      return 'OAuth2' in alternative && /^Bearer /i.test(authorization);
    });
    return fits ? [] : ['credentials of another kind'];
  }

  #request(operation: Operation, exchange: HttpExchange, query: URLSearchParams): string[] {
    const found: string[] = [];
    for (const { name, in: place, required, schema } of operation.parameters) {
      const value = place === 'path' ? operation.pathValues[name] : (query.get(name) ?? undefined);
      if (value === undefined && required) found.push(`${place} parameter ${name} is missing`);
      if (value === undefined || (place !== 'path' && place !== 'query')) continue;
      found.push(...this.#schemas.errorsOfText(schema, value).map((error) => `${place} parameter ${name} ${error}`));
    }
    return [...found, ...this.#requestBody(operation, exchange)];
  }

  #requestBody({ description, pointer }: Operation, { requestBody, requestHeaders }: HttpExchange): string[] {
    const { requestBody: expected } = description;
    if (!expected) return [];
    if (requestBody === '') return expected.required ? ['body is missing'] : [];
    const type = mediaType(requestHeaders['content-type']);
    if (!(type in expected.content)) return [`body of type ${type}`];
    if (type !== 'application/json') return [];
    const schema = [...pointer, 'requestBody', 'content', type, 'schema'];
    return this.#schemas.errors(schema, parsed(requestBody)).map((error) => `body ${error}`);
  }

  #response({ description, pointer }: Operation, { status, responseHeaders, responseBody }: HttpExchange): string[] {
    const { responses } = description;
    const key = [String(status), `${Math.floor(status / 100)}XX`].find((name) => name in responses);
    if (key === undefined) return [`status ${status} is not described`];
    const { $ref } = responses[key] ?? {};
    const at = $ref === undefined ? [...pointer, 'responses', key] : $ref.slice(2).split('/');
    return [
      ...this.#responseHeaders(responseHeaders),
      ...this.#responseBody(at, $ref !== undefined || responses[key]?.content !== undefined, {
        type: responseHeaders['content-type'],
        body: responseBody,
      }),
    ];
  }

  #responseHeaders(headers: Readonly<Record<string, string>>): string[] {
    return ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-RateLimit-Reset-After'].flatMap(
      (name) => {
        const value = headers[name.toLowerCase()];
        const schema = ['components', 'headers', name, 'schema'];
        return value === undefined
          ? []
          : this.#schemas.errorsOfText(schema, value).map((error) => `header ${name} ${error}`);
      },
    );
  }

  #responseBody(
    at: readonly string[],
    expected: boolean,
    { type, body }: { readonly type: string | undefined; readonly body: string },
  ): string[] {
    if (!expected) return body === '' ? [] : ['body where none is described'];
    if (type !== 'application/json') return [`Content-Type ${type} instead of application/json`];
    const schema = [...at, 'content', 'application/json', 'schema'];
    return this.#schemas.errors(schema, parsed(body)).map((error) => `response ${error}`);
  }
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function mediaType(header = ''): string {
  return (header.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** Returns `undefined` for text that is not JSON; it fails every schema that requires a value. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Operation = NonNullable<ReturnType<typeof findOperation>>;

/** Returns the operation of a method and a path, preferring literal segments over parameters; `null` without one. */
function findOperation(document: OpenApiDocument, method: string, path: string) {
  const candidates = Object.keys(document.paths)
    .flatMap((template) => {
      const pathValues = match(template, path);
      return pathValues ? [{ template, pathValues }] : [];
    })
    .sort((a, b) => Object.keys(a.pathValues).length - Object.keys(b.pathValues).length);
  for (const { template, pathValues } of candidates) {
    const shared = document.paths[template]?.parameters ?? [];
    const description = document.paths[template]?.[method.toLowerCase()];
    if (!description) continue;
    const pathPointer = ['paths', template];
    const pointer = [...pathPointer, method.toLowerCase()];
    const parameters = [...located(shared, pathPointer), ...located(description.parameters ?? [], pointer)];
    return { pointer, description, parameters, pathValues };
  }
  return null;
}

function located(parameters: readonly Parameter[], pointer: readonly string[]) {
  return parameters.map((parameter, index) => {
    return { ...parameter, schema: [...pointer, 'parameters', String(index), 'schema'] };
  });
}

function match(template: string, path: string): Record<string, string> | null {
  const [expected, actual] = [template.split('/'), path.split('/')];
  if (expected.length !== actual.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = decodeURIComponent(actual[index] ?? '');
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name !== undefined) values[name] = value;
    else if (part !== value) return null;
  }
  return values;
}

const DOCUMENT_URI = 'https://discord.com/openapi.json';

/** Validates values against the schemas of a document. Each schema is compiled once. */
class Schemas {
  readonly #strict: Ajv2020;
  readonly #coercing: Ajv2020;
  readonly #wrapped = new Map<string, (value: unknown) => string[]>();

  constructor(document: OpenApiDocument) {
    this.#strict = newAjv(document, false);
    this.#coercing = newAjv(document, true);
  }

  errors(pointer: readonly string[], value: unknown): string[] {
    return this.#validator(this.#strict, pointer)(value);
  }

  /** Returns the errors of a text that represents a value, such as a query parameter. */
  errorsOfText(pointer: readonly string[], text: string): string[] {
    return this.#validator(this.#coercing, pointer)(text);
  }

  #validator(ajv: Ajv2020, pointer: readonly string[]): (value: unknown) => string[] {
    const $ref = `${DOCUMENT_URI}#/${pointer.map((part) => encodeURIComponent(escaped(part))).join('/')}`;
    const key = `${ajv === this.#strict} ${$ref}`;
    const known = this.#wrapped.get(key);
    if (known) return known;
    // Only values inside an object can be coerced.
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

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
}

interface OperationDescription {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: object; readonly required?: boolean };
  /** By status, such as `200`, `4XX`. */
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: object }>>;
  /** Alternatives; an empty one allows calls without credentials. */
  readonly security?: readonly object[];
}

/** The methods of paths in lower case, and the parameters that they share. */
interface OpenApiDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, OperationDescription | undefined>> & { readonly parameters?: readonly Parameter[] }
    >
  >;
}

/**
 * Reads Discord's OpenAPI document from a file, without its known errors.
 *
 * @throws {Error} when the document no longer has a known error
 * @see https://github.com/discord/discord-api-spec
 */
export function readDiscordDocument(file: string): OpenApiDocument {
  const document: unknown = JSON.parse(readFileSync(file, 'utf8'));
  for (const [pointer, { published, corrected }] of ERRATA) {
    const path = ['components', 'schemas', ...pointer.split('/')];
    const key = path.pop() ?? '';
    const parent = path.reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], document);
    const holder = parent as Record<string, unknown>;
    if (!isDeepStrictEqual(holder[key], published)) throw new Error(`The erratum at ${pointer} no longer applies`);
    holder[key] = corrected;
  }
  return document as OpenApiDocument;
}

/** Permissions are bit sets beyond 2^53, sent as strings: https://discord.com/developers/docs/topics/permissions */
const PERMISSIONS = {
  published: { type: ['integer', 'null'], minimum: 0, maximum: 2 ** 54 },
  corrected: { type: ['string', 'integer', 'null'] },
};

/**
 * Contradictions between the published document and Discord's documentation, by the path into its schemas. If the
 * document has another text there, the erratum is obsolete.
 */
const ERRATA: readonly (readonly [
  path: string,
  erratum: { readonly published: unknown; readonly corrected: unknown },
])[] = [
  [
    // Codes are names such as BASE_TYPE_REQUIRED: https://discord.com/developers/docs/reference#error-messages
    'InnerErrors/properties/_errors/items',
    {
      published: { $ref: '#/components/schemas/Error' },
      corrected: {
        type: 'object',
        properties: { code: { type: 'string' }, message: { type: 'string' } },
        required: ['code', 'message'],
      },
    },
  ],
  ['ApplicationCommandUpdateRequest/properties/default_member_permissions', PERMISSIONS],
  ['ApplicationCommandCreateRequest/properties/default_member_permissions', PERMISSIONS],
  ['ApplicationCommandPatchRequestPartial/properties/default_member_permissions', PERMISSIONS],
];
