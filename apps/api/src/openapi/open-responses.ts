import type { OpenAPIObject } from 'trpc-openapi';

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns the document with open responses: their objects may have fields that it does not list, because later versions
 * add some. Request objects stay closed. A schema used by both would stay closed; currently none is.
 */
export function withOpenResponses(document: OpenAPIObject): OpenAPIObject {
  const schemas: Json = document.components?.schemas ?? {};
  const requests: unknown[] = [];
  const responses: unknown[] = [document.components?.responses];
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item as Readonly<Record<string, Json>>)) {
      responses.push(operation.responses);
      requests.push(operation.requestBody, operation.parameters);
    }
  }
  const closed = reachable(requests, schemas);
  const open = [...reachable(responses, schemas)].filter((name) => !closed.has(name));
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => [
    path,
    mapValues(item as Json, (operation) =>
      isObject(operation) && isObject(operation.responses)
        ? { ...operation, responses: opened(operation.responses) }
        : operation,
    ),
  ]);
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: {
      ...document.components,
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, open.includes(name) ? opened(schema) : schema]),
      ) as NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>,
    },
  };
}

function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (!isObject(value)) return value;
  const { additionalProperties, ...rest } = value;
  return mapValues(additionalProperties === false ? rest : value, opened);
}

/** Returns the names of the schemas that a part of the document refers to, directly or indirectly. */
function reachable(part: unknown, schemas: Json, found = new Set<string>()): Set<string> {
  for (const name of namesReferredIn(part, '#/components/schemas/')) {
    if (found.has(name)) continue;
    found.add(name);
    reachable(schemas[name], schemas, found);
  }
  return found;
}

/**
 * Returns the names of the components that a part of a document refers to. @param prefix their path, with its last
 * slash
 */
export function namesReferredIn(part: unknown, prefix: string): Set<string> {
  const names = new Set<string>();
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === '$ref' && typeof inner === 'string' && inner.startsWith(prefix))
        names.add(inner.slice(prefix.length));
      else visit(inner);
    }
  };
  visit(part);
  return names;
}

function mapValues(object: Json, map: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
