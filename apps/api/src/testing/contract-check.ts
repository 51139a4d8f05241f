import { readFileSync } from 'node:fs';
import { PROBLEM_MEDIA_TYPE, Problem } from '@guild-settings/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenAPIObject } from 'trpc-openapi';
import { expect } from 'vitest';

type Described = {
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
};

const DOCUMENT: OpenAPIObject = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
const HEADERS = DOCUMENT.components?.headers as Readonly<Record<string, { readonly required?: boolean }>>;

/** The statuses of requests that are malformed, arrive too slowly, or have too many headers. */
const UNREADABLE = new Set([400, 408, 431]);

/** Compiled once for each process: compiling takes longer than most tests. */
const ajv = new Ajv2020({ strict: false, allErrors: true, unicodeRegExp: true, validateFormats: false });
ajv.addSchema(DOCUMENT, 'document');
const validators = new Map<string, ValidateFunction>();
const paths = Object.keys(DOCUMENT.paths ?? {}).map((template) => ({ template, pattern: patternOf(template) }));

/** Checks a response against the committed OpenAPI document: status, headers, media type, body. */
export async function checkResponse(method: string, path: string, response: Response): Promise<void> {
  // As fetch sends it: `/.` is `/`.
  const { pathname } = new URL(`http://127.0.0.1${path}`);
  const where = `${method} ${pathname} -> ${response.status}`;
  for (const name of ['x-request-id', 'cache-control', 'vary'])
    expect(response.headers.has(name), `${where}: ${name}`).toBe(true);
  expect(response.headers.get('vary'), where).toContain('Authorization');
  if (pathname.startsWith('/trpc/')) return checkTrpc(where, method, response);

  const template = paths.find(({ pattern }) => pattern.test(pathname))?.template;
  const item = template === undefined ? undefined : DOCUMENT.paths?.[template];
  const operation = item?.[method.toLowerCase() as 'get'];
  if (UNREADABLE.has(response.status) && operation?.responses?.[String(response.status)] === undefined) {
    // The request had no route, so the document has no operation for it.
    if (method !== 'HEAD') Problem.parse(await response.clone().json());
    return;
  }
  if (operation === undefined) {
    // As the document's description states: 404 for an unlisted path, 405 for an unlisted method of a listed path.
    expect(response.status, where).toBe(item === undefined ? 404 : 405);
    if (item !== undefined) expect(response.headers.get('allow'), where).toBe(methodsOf(item).join(', '));
    if (method !== 'HEAD') Problem.parse(await response.clone().json());
    return;
  }
  const described = operation.responses?.[String(response.status)] as Described | undefined;
  expect(described, `${where} is not in the document`).toBeDefined();
  for (const [name, { $ref }] of Object.entries(described?.headers ?? {})) {
    if (HEADERS[$ref.split('/').at(-1) ?? '']?.required)
      expect(response.headers.has(name), `${where}: ${name}`).toBe(true);
  }
  const text = await response.clone().text();
  if (described?.content === undefined) return expect(text, where).toBe('');
  const mediaType = response.headers.get('content-type')?.split(';', 1)[0] ?? 'none';
  expect(Object.keys(described.content), where).toContain(mediaType);
  if (!mediaType.endsWith('json')) return;
  const pointer = [
    'paths',
    template ?? '',
    method.toLowerCase(),
    'responses',
    String(response.status),
    'content',
    mediaType,
    'schema',
  ];
  const reference = `document#/${pointer.map(escapePointer).join('/')}`;
  const validate = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, validate);
  expect(validate(JSON.parse(text)) ? [] : validate.errors, `${where}: ${text}`).toEqual([]);
}

function methodsOf(item: object): string[] {
  const methods = ['get', 'head', 'patch', 'post', 'options', 'put', 'delete'];
  return methods
    .filter((method) => method in item)
    .map((method) => method.toUpperCase())
    .sort();
}

async function checkTrpc(where: string, method: string, response: Response): Promise<void> {
  if (method === 'HEAD' || response.status === 304 || response.status === 204) return;
  if (response.headers.get('content-type')?.startsWith(PROBLEM_MEDIA_TYPE)) {
    Problem.parse(await response.clone().json());
    return;
  }
  const body: unknown = await response.clone().json();
  for (const one of [body].flat() as { error?: { data: { problem: unknown; stack?: string } } }[]) {
    if (one.error === undefined) continue;
    expect(Problem.safeParse(one.error.data.problem).error, where).toBeUndefined();
    expect(one.error.data.stack, where).toBeUndefined();
  }
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]*')}$`);
}

function escapePointer(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));
}
