import { expect, test } from 'vitest';
import { createRedactor } from './redactor.ts';
import { urlSecrets } from './url-secrets.ts';

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
