import { ProblemError } from '@guild-settings/contract';
import type { FastifyRequest } from 'fastify';
import { ZodNever, ZodObject, type ZodType } from 'zod';
import type { AnyOperation } from '../../operations/operation.ts';

/**
 * Returns the parameters of a request's path, and of its query if the operation has any. They are text: those that the
 * operation declares as numbers or booleans are converted. Other text is left as it is, and the operation's schema rejects it.
 * @throws ProblemError invalid-request for a query parameter that a strict operation does not have
 */
export function parametersOf({ input, rest }: AnyOperation, { params, query }: FastifyRequest): object {
  const declared = rest?.query ?? [];
  const given = Object.entries(rest?.query === undefined ? {} : (query as object));
  const unknown = given.filter(([name]) => !declared.some((known) => known === name));
  if (!(input instanceof ZodObject)) return params as object;
  if (unknown.length > 0 && input.def.catchall instanceof ZodNever) {
    const names = unknown.map(([name]) => `"${name.slice(0, 64)}"`).join(', ');
    throw new ProblemError('invalid-request', {
      detail: `Expected only the query parameters ${declared.join(', ')}, received ${names}.`,
    });
  }
  const parameters = [
    ...Object.entries(params as object),
    ...given.filter(([name]) => declared.some((known) => known === name)),
  ];
  const shape: Readonly<Record<string, ZodType>> = input.shape;
  return Object.fromEntries(parameters.map(([name, text]) => [name, convert(shape[name], text)]));
}

function convert(schema: ZodType | undefined, text: unknown): unknown {
  if (schema === undefined || typeof text !== 'string') return text;
  const type = typeOf(schema);
  if (type === 'number' && /^(0|[1-9]\d{0,15})$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function typeOf(schema: ZodType): string {
  return 'unwrap' in schema && typeof schema.unwrap === 'function' ? typeOf(schema.unwrap() as ZodType) : schema.type;
}
