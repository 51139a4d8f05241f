import { EXPECTED, issuesOf } from '@guild-settings/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { OPERATIONS_BY_PATH } from './handlers.ts';

const WRONG = [undefined, null, true, -1, 0, 0.5, 1e9, 1e20, '', 'x', ' \u0007'.repeat(3_000), [], Array(70_000), {}];

/** Values that are wrong for a schema: each wrong value in each place of it. */
function* wrongFor(schema: unknown): Generator<unknown> {
  yield* WRONG;
  if (schema instanceof z.ZodObject) {
    for (const [name, part] of Object.entries(schema.shape)) {
      for (const value of wrongFor(part)) yield { [name]: value };
    }
    yield { another: 1 };
  }
  if (schema instanceof z.ZodArray) for (const value of wrongFor(schema.element)) yield [value];
  if (schema instanceof z.ZodUnion) for (const option of schema.options) yield* wrongFor(option);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) yield* wrongFor(schema.unwrap());
  if (schema instanceof z.ZodPipe) yield* wrongFor(schema.in);
}

test.each([...OPERATIONS_BY_PATH])(
  'each wrong input of %s is explained in the words of the service',
  (_path, { input }) => {
    const messages = new Set<string>();
    for (const wrong of wrongFor(input)) {
      const { error } = input.safeParse(wrong, EXPECTED);
      for (const { message } of error === undefined ? [] : issuesOf(error)) messages.add(message);
    }
    expect([...messages].filter((message) => !/^(?:expected |unknown field ")/.test(message))).toStrictEqual([]);
    expect([...messages].filter((message) => /\b1 \w+s\b/.test(message))).toStrictEqual([]);
  },
);
