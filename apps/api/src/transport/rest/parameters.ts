import { ProblemError } from '@guild-settings/contract';
import type { AnyOperation } from '@guild-settings/contract/operations';
import type { FastifyRequest } from 'fastify';
import { ZodNever, ZodObject, type ZodType } from 'zod';

export type ReadParameters = (request: FastifyRequest) => object;

/**
 * Prepares the reading of an operation's parameters. They are text: those that the operation declares as numbers or booleans
 * are converted, and lists are separated by commas or repeated. Other text is left as it is, and the operation's schema rejects
 * it.
 * @returns a function that throws ProblemError invalid-request for a query parameter that a strict operation does not have;
 *   undefined: there is no query, and the parameters of the path are text
 */
export function parametersOf({ input, rest }: AnyOperation): ReadParameters | undefined {
  const shape: Readonly<Record<string, ZodType>> = input instanceof ZodObject ? input.shape : {};
  const types = new Map(Object.entries(shape).map(([name, schema]) => [name, typeOf(schema)]));
  const declared = new Set(rest?.query);
  const isInPath = (name: string) => rest?.path.includes(`{${name}}`) === true;
  const isConverted = [...types].some(([name, type]) => isInPath(name) && type !== 'string');
  if (rest?.query === undefined && !isConverted) return undefined;
  const isStrict = rest?.query !== undefined && input instanceof ZodObject && input.def.catchall instanceof ZodNever;
  return ({ params, query }) => {
    const given = Object.entries(query as object);
    const known = given.filter(([name]) => declared.has(name));
    if (isStrict && known.length < given.length) throw unknownParameter(given, declared);
    const parameters = [...Object.entries(params as object), ...known];
    return Object.fromEntries(parameters.map(([name, text]) => [name, convert(types.get(name), text)]));
  };
}

function unknownParameter(given: readonly [string, unknown][], declared: ReadonlySet<string>): ProblemError {
  const names = given.flatMap(([name]) => (declared.has(name) ? [] : [`"${name.slice(0, 64)}"`])).join(', ');
  return new ProblemError('invalid-request', {
    detail: `Expected only the query parameters ${[...declared].join(', ')}, received ${names}.`,
  });
}

function convert(type: string | undefined, text: unknown): unknown {
  if (type === 'array') return [text].flat().flatMap((part) => String(part).split(','));
  if (typeof text !== 'string') return text;
  if (type === 'number' && /^(0|[1-9]\d{0,15})$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function typeOf(schema: ZodType): string {
  // An array could be unwrapped to its elements.
  if (schema.type === 'array') return schema.type;
  return 'unwrap' in schema && typeof schema.unwrap === 'function' ? typeOf(schema.unwrap() as ZodType) : schema.type;
}
