import type { HttpExchange } from './http-exchange.ts';
import type { OpenApiDocument } from './openapi-document.ts';
import { findOperation, type Operation } from './operation.ts';
import { Schemas } from './schemas.ts';

const BELOW_VERSION = /^\/api(?:\/v[0-9]+)?(\/.*)$/;

/** Paths that Discord documents in words alone. */
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
   * Returns where an exchange deviates from the document: a response that it does not describe, or a success for a request
   * that it does not allow.
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

/** Returns `undefined`, which fits no schema that requires anything, for text that is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
