import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { record } from '../../json.ts';
import { type FieldError, invalidForm } from '../error-body.ts';
import { type Complaint, isId, notCoercible, REQUIRED } from './fields.ts';

/**
 * Reads a body or a query.
 *
 * @param at - where the value is in the form; errors are named from there
 * @throws {RestRefusal} 400 (50035) with the errors of all fields
 */
export function readForm<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  at: readonly PropertyKey[] = [],
): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw invalidForm(result.error.issues.map((issue) => fieldError(issue, at)));
}

function fieldError(issue: z.core.$ZodIssue, at: readonly PropertyKey[]): FieldError {
  return { path: [...at, ...issue.path], ...complaint(issue) };
}

function complaint(issue: z.core.$ZodIssue): Complaint {
  switch (issue.code) {
    case 'custom':
      return { code: String(issue.params?.code), message: issue.message };
    case 'invalid_union':
      return noVariant(issue);
    case 'invalid_key':
      return { code: 'DICT_TYPE_KEY', message: issue.issues[0]?.message ?? issue.message };
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? REQUIRED : wrongContainer(issue.expected);
    default:
      return { code: 'BASE_TYPE_INVALID', message: issue.message };
  }
}

function noVariant(issue: z.core.$ZodIssueInvalidUnion): Complaint {
  const { discriminator, input } = issue;
  const given = (input as Readonly<Record<string, unknown>> | undefined)?.[discriminator ?? ''];
  if (given === undefined || given === null) return REQUIRED;
  const choices = 'options' in issue ? (issue.options ?? []) : [];
  const message = `Value of field "${discriminator}" must be one of (${choices.map(String).join(', ')}).`;
  return { code: 'UNION_TYPE_CHOICES', message };
}

function wrongContainer(expected: string): Complaint {
  switch (expected) {
    case 'array':
      return { code: 'LIST_TYPE_CONVERT', message: 'Only iterables may be used in a ListType' };
    case 'record':
      return { code: 'DICT_TYPE_CONVERT', message: 'Only dictionaries may be used in a DictType' };
    default:
      return { code: 'MODEL_TYPE_CONVERT', message: 'Expected an object/dictionary.' };
  }
}

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
