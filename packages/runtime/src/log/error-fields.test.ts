import { expect, test } from 'vitest';
import { errorFields } from './error-fields.ts';

test('of an error a log line keeps what says what failed, and no request', () => {
  const cause = Object.assign(new TypeError('inner'), { code: 'ECONNREFUSED', port: 80, headers: { cookie: 'x' } });
  const error = Object.assign(new Error('outer', { cause }), {
    status: 403,
    method: 'POST',
    url: '/channels/1/messages',
    requestBody: { json: { content: 'hello' } },
    rawError: { message: 'no' },
  });
  const fields = errorFields(error);
  expect(fields).toMatchObject({
    type: 'Error',
    message: 'outer',
    status: 403,
    method: 'POST',
    url: '/channels/1/messages',
    cause: { type: 'TypeError', message: 'inner', code: 'ECONNREFUSED', port: 80 },
  });
  expect(JSON.stringify(fields)).not.toMatch(/requestBody|rawError|headers|hello/);
});

test('errors in a circle, errors of errors and what is no error at all can be logged', () => {
  const circle = new Error('round');
  circle.cause = circle;
  expect(() => JSON.stringify(errorFields(circle))).not.toThrow();
  const many = new AggregateError(Array.from({ length: 50 }, (_, n) => new Error(`no ${n}`)));
  expect(errorFields(many)).toMatchObject({ errors: { length: 10 } });
  expect(errorFields('text')).toBe('text');
  expect(errorFields(undefined)).toBeUndefined();
  expect(errorFields({ token: 'x' })).toStrictEqual({ type: '[object Object]' });
});
