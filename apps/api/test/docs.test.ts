import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startApi } from '../src/testing/api-resource.ts';

const PACKAGE = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The `Accept` headers of Chromium, curl, axios, and a client that accepts JSON alone. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

test('/ leads a browser to the page, and a program that accepts JSON to the document', async () => {
  await using api = await startApi();
  const target = async (accept: string) => {
    const response = await api.send('/', { headers: { accept } });
    expect(response.headers.get('vary')).toContain('Accept');
    return [response.status, response.headers.get('location')];
  };
  expect(await target(BROWSER)).toStrictEqual([302, '/docs/']);
  expect(await target('*/*')).toStrictEqual([302, '/docs/']);
  expect(await target('application/json, text/plain, */*')).toStrictEqual([302, '/openapi.json']);
  expect(await target('application/json')).toStrictEqual([302, '/openapi.json']);
});

test('/ without an Accept header leads to the page', async () => {
  await using api = await startApi();
  const { status, headers } = await api.app
    .inject('/')
    .then(({ statusCode, headers }) => ({ status: statusCode, headers }));
  expect([status, headers.location]).toStrictEqual([302, '/docs/']);
});

test("the document has the version of the package, and the page selects the document's security scheme", async () => {
  await using api = await startApi();
  const document = JSON.parse(await (await api.send('/openapi.json')).text());
  expect(document.info.version).toBe(PACKAGE.version);
  const [scheme = ''] = Object.keys(document.components.securitySchemes);
  expect(await (await api.send('/docs/')).text()).toContain(`"preferredSecurityScheme": "${scheme}"`);
});
