import { PROBLEM_MEDIA_TYPE, Problem } from '@guild-settings/contract';
import type { AnyOperation } from '@guild-settings/contract/operations';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIObject } from 'trpc-openapi';
import { expect } from 'vitest';
import { z } from 'zod';
import { openApiDocument } from '../../../apps/api/src/openapi/document.ts';
import { OPERATIONS_BY_PATH } from '../../../apps/api/src/operations/handlers.ts';

type Described = {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
};

const OPERATION_PATHS: ReadonlySet<string | undefined> = new Set(
  [...OPERATIONS_BY_PATH.values()].map(({ rest }) => rest?.path),
);

/** The statuses of requests that are malformed, arrive too slowly, or have too many headers. */
const UNREADABLE = new Set([400, 408, 431]);

export interface ContractCheck {
  response(method: string, path: string, response: Response): Promise<void>;
  followEvent(event: unknown): void;
}

/** Returns the checks against an OpenAPI document. Schemas are compiled once, which takes longer than most tests. */
export function contractCheck(document: OpenAPIObject): ContractCheck {
  const documentedHeaders = document.components?.headers as Readonly<Record<string, { readonly required?: boolean }>>;
  // A schema with references is compiled once, and not again for each reference.
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    unicodeRegExp: true,
    validateFormats: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  ajv.addSchema(closed(document), 'document');
  const validators = new Map<string, ValidateFunction>();
  // A path without parameters has priority over one with parameters.
  const paths = Object.keys(document.paths ?? {})
    .sort((one, other) => Number(one.includes('{')) - Number(other.includes('{')))
    .map((template) => ({ template, pattern: patternOf(template) }));

  return {
    response: checkResponse,
    followEvent: (event) => expectValid('an event', ['components', 'schemas', 'FollowEvent'], event),
  };

  /**
   * Checks a response against the document: status, headers, media type, body. Only calls `expect` for errors: an
   * assertion takes longer than the rest of the check.
   */
  async function checkResponse(method: string, path: string, response: Response): Promise<void> {
    // Normalised like fetch does: `/.` is `/`.
    const { pathname } = new URL(`http://127.0.0.1${path}`);
    const where = `${method} ${pathname} -> ${response.status}`;
    for (const name of ['x-request-id', 'cache-control', 'vary', 'guild-settings-version']) {
      if (!response.headers.has(name)) expect.fail(`${where}: ${name} is missing`);
    }
    const vary = response.headers.get('vary');
    if (!vary?.includes('Authorization')) expect(vary, where).toContain('Authorization');

    if (method === 'OPTIONS' && response.headers.has('access-control-allow-methods')) {
      // Pages of allowed origins may send any request, to read its refusal.
      return expect(response.status, where).toBe(204);
    }
    if (pathname.startsWith('/trpc/')) return checkCalls(where, pathname, response);
    const template = isDecodable(pathname) ? paths.find(({ pattern }) => pattern.test(pathname))?.template : undefined;
    if (method === 'OPTIONS' && template !== undefined && response.status === 204) {
      return expect(response.headers.get('allow'), where).toBe(methodsOf(document.paths?.[template] ?? {}));
    }
    // HEAD has the status and the headers of GET.
    const documented = method === 'HEAD' ? 'get' : (method.toLowerCase() as 'get');
    if (document.paths?.[template ?? '']?.[documented] === undefined)
      return checkUnlisted(where, method, template, response);
    const { described, pointer } = describedAt([
      'paths',
      template ?? '',
      documented,
      'responses',
      String(response.status),
    ]);
    if (described === undefined) expect.fail(`${where} is not in the document`);
    checkHeaders(where, described.headers ?? {}, response);
    if (isBare(response)) return;
    if (method === 'HEAD') return expect(await response.clone().text(), where).toBe('');
    const mediaType = response.headers.get('content-type')?.split(';', 1)[0] ?? 'none';
    const { content } = described;
    if (content !== undefined && !(mediaType in content)) expect(Object.keys(content), where).toContain(mediaType);
    // A stream has no end to wait for.
    if (mediaType === 'text/event-stream') return;
    const text = await response.clone().text();
    if (content === undefined) return expect(text, where).toBe('');
    const body: unknown = mediaType.endsWith('json') ? JSON.parse(text) : text;
    expectValid(where, [...pointer, 'content', mediaType, 'schema'], body);
  }

  /** Checks a response to a request that is not an operation, by the description of the document. */
  async function checkUnlisted(where: string, method: string, template: string | undefined, response: Response) {
    const item = template === undefined ? undefined : document.paths?.[template];
    // 405 for an undocumented method of a documented path, 404 for an unknown path. A parameter may be invalid.
    const expected = item === undefined ? [404] : template?.includes('{') ? [404, 405] : [405];
    if (!UNREADABLE.has(response.status)) expect(expected, where).toContain(response.status);
    if (response.status === 405) expect(response.headers.get('allow'), where).toBe(methodsOf(item ?? {}));
    if (method !== 'HEAD' && !isBare(response)) Problem.parse(await response.clone().json());
  }

  /** Checks a response to calls over tRPC: the results equal those of REST. */
  async function checkCalls(where: string, pathname: string, response: Response): Promise<void> {
    const mediaType = response.headers.get('content-type')?.split(';', 1)[0] ?? 'none';
    // A stream has no end to wait for.
    const text = mediaType.endsWith('json') ? await response.clone().text() : '';
    if (text === '') return;
    const body: unknown = JSON.parse(text);
    if (mediaType === PROBLEM_MEDIA_TYPE) return expectValid(where, PROBLEM, body);
    const names = pathname.slice('/trpc/'.length).split(',');
    const calls = z.array(Called).parse(Array.isArray(body) ? body : [body]);
    for (const [at, call] of calls.entries()) {
      if ('error' in call) {
        expectValid(where, PROBLEM, call.error.data.problem);
        continue;
      }
      const operation = OPERATIONS_BY_PATH.get(names[at] ?? '');
      const pointer = resultOf(operation?.rest);
      if (pointer !== undefined) expectValid(where, pointer, call.result.data);
      else expect(operation?.output.safeParse(call.result.data).error, where).toBeUndefined();
    }
  }

  /** Returns the location of the schema of an operation's result; undefined: not in the document. */
  function resultOf(rest: AnyOperation['rest']): readonly string[] | undefined {
    if (rest === undefined) return undefined;
    const { described, pointer } = describedAt(['paths', rest.path, rest.method.toLowerCase(), 'responses', '200']);
    const mediaType = 'application/json';
    return described?.content?.[mediaType] && [...pointer, 'content', mediaType, 'schema'];
  }

  /** Returns the response at a location of the document, following a reference. */
  function describedAt(pointer: readonly string[]): { described: Described | undefined; pointer: readonly string[] } {
    const described = pointer.reduce<unknown>(
      (value, key) => (value as Record<string, unknown> | undefined)?.[key],
      document,
    );
    const { $ref } = (described ?? {}) as { $ref?: string };
    return $ref === undefined
      ? { described: described as Described | undefined, pointer }
      : describedAt($ref.split('/').slice(1));
  }

  function checkHeaders(where: string, headers: NonNullable<Described['headers']>, response: Response): void {
    for (const [name, { $ref }] of Object.entries(headers)) {
      const id = $ref.split('/').at(-1) ?? '';
      const value = response.headers.get(name);
      if (value !== null) expectValid(`${where}: ${name}`, ['components', 'headers', id, 'schema'], value);
      else if (documentedHeaders[id]?.required) expect.fail(`${where}: ${name} is missing`);
    }
  }

  function expectValid(where: string, pointer: readonly string[], value: unknown): void {
    const reference = `document#/${pointer.map(escapePointer).join('/')}`;
    const validate = validators.get(reference) ?? ajv.compile({ $ref: reference });
    validators.set(reference, validate);
    if (!validate(value)) expect(validate.errors, `${where}: ${JSON.stringify(value)}`).toEqual([]);
  }
}

/** The checks against the document, which is committed, for all services of a process that declare no settings. */
export const CONTRACT = contractCheck(openApiDocument());

/**
 * Returns the document with closed objects: clients have to ignore unlisted fields, but the service does not send any.
 */
function closed<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(closed) as Value;
  const object = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, closed(inner)]));
  const isClosed = object.type === 'object' && 'properties' in object && !('additionalProperties' in object);
  return { ...object, ...(isClosed && { additionalProperties: false }) } as Value;
}

const Called = z.union([
  z.object({ result: z.object({ data: z.unknown() }) }),
  z.object({ error: z.object({ data: z.object({ problem: z.unknown() }) }) }),
]);

const PROBLEM = ['components', 'schemas', 'Problem'];

/**
 * Returns true if a response has no body, because the method of the unreadable request is unknown: it may have been
 * HEAD.
 */
function isBare({ status, headers }: Response): boolean {
  return UNREADABLE.has(status) && !headers.has('content-type');
}

/** Returns true if the percent-encoding of a path is valid. Other paths do not belong to operations. */
function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

/** Returns the `Allow` header of a path: the methods of the document, HEAD for GET, and OPTIONS. */
function methodsOf(item: object): string {
  const methods = ['get', 'patch', 'post', 'put', 'delete'].filter((method) => method in item);
  const all = [...methods, ...('get' in item ? ['head'] : []), 'options'];
  return all
    .map((method) => method.toUpperCase())
    .sort()
    .join(', ');
}

/** Returns the pattern of a path. Paths of operations may have a trailing slash. */
function patternOf(template: string): RegExp {
  const end = OPERATION_PATHS.has(template) ? '/?' : '';
  return new RegExp(`^${template.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}${end}$`);
}

function escapePointer(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}

/** A value in a JSON document, and the JSON Pointer (RFC 6901) to it. */
export interface Place {
  readonly pointer: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Keys of the OpenAPI document whose values are data instead of a description. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'value']);

/** Returns every object of an OpenAPI document, except those inside examples. */
export function placesOf(document: object, pointer = ''): Place[] {
  const children = Object.entries(document).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null || isData(key, value)) return [];
    return placesOf(value, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  });
  return Array.isArray(document) ? children : [{ pointer, value: { ...document } }, ...children];
}

/** The `examples` of a schema are a list of values; those of a parameter or a media type have descriptions. */
function isData(key: string, value: object): boolean {
  return DATA.has(key) || (key === 'examples' && Array.isArray(value));
}
