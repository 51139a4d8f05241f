import type { FastifyRequest } from 'fastify';
import { record } from '../../record.ts';
import { invalidForm } from '../error-body.ts';
import { notCoercible } from './field-error.ts';
import { isId } from './fields.ts';

/** @throws {RestRefusal} 400 (50035) naming the ids in the path that are none */
export function checkPathIds({ params }: Pick<FastifyRequest, 'params'>): void {
  const errors = Object.entries(record(params)).flatMap(([name, value]) =>
    name.endsWith('Id') && !isId(value) ? [{ path: [snakeCase(name)], ...notCoercible(value, 'snowflake') }] : [],
  );
  if (errors.length > 0) throw invalidForm(errors);
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
