import { expect, test } from 'vitest';
import { createRedactor, errorFields, urlSecrets } from './log.ts';

const INTERACTION_TOKEN = 'aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OTpabc-_';
const BOT_TOKEN = `${'M'.repeat(24)}.GabcdE.${'z'.repeat(38)}`;

test('a known secret is removed wherever it stands, also quoted in JSON and in a URL', () => {
  const secret = 'a"b\\c d/é+secret';
  const { redact } = createRedactor({ secrets: [secret] });
  const line = JSON.stringify({
    msg: `is ${secret}`,
    url: `/x?y=${encodeURIComponent(secret)}`,
    raw: JSON.stringify(secret),
  });
  const redacted = redact(line);
  expect(redacted).not.toContain('secret');
  expect(JSON.parse(redacted)).toMatchObject({ msg: 'is [redacted]', url: '/x?y=[redacted]' });
  expect(redact(`plain ${secret}`)).toBe('plain [redacted]');
});

test('secrets that became known later are removed, the oldest of too many no more', () => {
  const redactor = createRedactor({ maxAdded: 2 });
  for (const secret of ['first-value', 'second-value', 'first-value', 'third-value']) redactor.add(secret);
  expect(redactor.redact('first-value second-value third-value')).toBe('[redacted] second-value [redacted]');
});

test('a value that is as short as a word is not removed', () => {
  expect(createRedactor({ secrets: ['bot', ''] }).redact('the bot is connected')).toBe('the bot is connected');
});

test.each([
  ['Authorization: Bearer abc.DEF-123_~+/=', 'Authorization: Bearer [redacted]'],
  ['authorization: bearer abcdefgh', 'authorization: bearer [redacted]'],
  ['Basic dXNlcjpwYXNzd29yZA==', 'Basic [redacted]'],
  [`Bot ${BOT_TOKEN}`, 'Bot [redacted]'],
  [`the token ${BOT_TOKEN} is`, 'the token [redacted] is'],
  [
    'POST /api/v10/interactions/123456789012345678/abc:def%20/callback?x=1',
    '/interactions/123456789012345678/[redacted]/callback?x=1',
  ],
  ['https://x/webhooks/123/abc/messages/@original', 'https://x/webhooks/123/[redacted]/messages/@original'],
  [`token ${INTERACTION_TOKEN}!`, 'token [redacted]!'],
  ['GET /callback?state=1&code=abc&x=2', '/callback?state=1&code=[redacted]&x=2'],
  ['postgres://guilds:s3cret@127.0.0.1/guilds', 'postgres://guilds:[redacted]@127.0.0.1/guilds'],
  ['{"access_token":"abc","expires_in":5}', '{"access_token":"[redacted]","expires_in":5}'],
  ['{"body":"{\\"token\\":\\"abc\\"}"}', '{"body":"{\\"token\\":\\"[redacted]\\"}"}'],
  ['{ token: \'abc\', clientSecret: "x" }', '{ token: \'[redacted]\', clientSecret: "[redacted]" }'],
])('what has the shape of a secret is removed: %s', (text, expected) => {
  const redactor = createRedactor();
  expect(redactor.redact(text)).toContain(expected);
  // A token in a line of JSON, after a line break.
  const line = redactor.redact(JSON.stringify({ stack: `Error\n${text}` }));
  expect(() => JSON.parse(line)).not.toThrow();
  const value = /(?:abc\.DEF|abcdefgh|dXNl|MMMM|abc:def|aW50|s3cret|=abc|"abc|'abc)/;
  expect(line).not.toMatch(value);
});

test.each([
  'WWW-Authenticate: Bearer realm="x", error="invalid_token"',
  'the bot is connected to 127.0.0.1:3002, Bot 1.2.3',
  'at Client.<anonymous> (file:///srv/apps/bot/dist/main.js:10:3)',
  '{"token":{"state":"failing"},"route":"/webhooks/:id/:token","url":"http://127.0.0.1:3000/guilds/1"}',
])('what is no secret stays: %s', (text) => {
  expect(createRedactor({ secrets: ['another-secret'] }).redact(text)).toBe(text);
});

test.each(['a', 'a:', '://', 'M'.repeat(24), 'token:"', 'Bearer ', '?code=', '/webhooks/1/', '\\', 'aa.'])(
  'the time for a line grows with its length, not with its square: %j',
  (part) => {
    const redactor = createRedactor({ secrets: ['a-secret'] });
    const time = (length: number): number => {
      const text = part.repeat(Math.ceil(length / part.length));
      // CPU time of this process only: other processes do not affect it.
      const before = process.cpuUsage();
      redactor.redact(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    time(20_000);
    const short = Math.min(...[1, 2, 3, 4, 5].map(() => time(20_000)));
    const long = Math.min(...[1, 2, 3, 4, 5].map(() => time(200_000)));
    // Ten times the length: quadratic time would be a hundred times as long.
    expect(long).toBeLessThan(40 * Math.max(short, 1));
  },
);

test('a scheme without anything behind it is no secret: the example of a URL stays readable', () => {
  const { redact } = createRedactor({ secrets: urlSecrets(['postgres://']), isStrict: true });
  const text = 'expected postgres://<user>:<password>@<host>/<database>';
  expect(redact(text)).toBe(text);
});

test('the password of a URL is a secret in every spelling', () => {
  const secrets = urlSecrets([
    'postgres://guilds:p%40ss@host/settings?sslpassword=other',
    'file:./data/settings.db',
    undefined,
  ]);
  expect(secrets).toEqual(expect.arrayContaining(['p%40ss', 'p@ss', 'other']));
});

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
