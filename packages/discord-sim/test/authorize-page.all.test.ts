import { type HttpServer, serveHttp } from '@guild-settings/testing';
import * as oauth from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DiscordSim } from '../src/sim.ts';
import { HAS_BROWSER, startBrowser } from '../src/testing/browser.ts';
import { APPLICATION, get, MEMBER, OWNER, startPopulatedSim } from '../src/testing/test-sim.ts';

const SCOPE = 'identify guilds';

let browser: Browser;
let discord: DiscordSim;
let dashboard: HttpServer;
let redirectUri: string;
let config: oauth.Configuration;

async function beginLogin(more: Readonly<Record<string, string>> = {}) {
  const verifier = oauth.randomPKCECodeVerifier();
  const state = oauth.randomState();
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: SCOPE,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...more,
  });
  const finish = (page: Page) => {
    return oauth.authorizationCodeGrant(config, new URL(page.url()), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
  };
  return { url: url.href, finish };
}

/** Opens a page in a browser without cookies, and collects the errors in its console. */
async function newPage() {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', ({ message }) => errors.push(message));
  return { page, errors, [Symbol.asyncDispose]: () => context.close() };
}

const servePage = (html: string) =>
  serveHttp((_request, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(html));

describe.skipIf(!HAS_BROWSER)('in a browser', () => {
  beforeAll(async () => {
    [browser, discord, dashboard] = await Promise.all([startBrowser(), startPopulatedSim(), servePage('Signed in')]);
    redirectUri = `${dashboard.url}/callback`;
    discord.world.addApplication({ ...APPLICATION, ownerId: OWNER.id, redirectUris: [redirectUri] });
    const basic = oauth.ClientSecretBasic(APPLICATION.clientSecret);
    const options: oauth.DiscoveryRequestOptions = { algorithm: 'oauth2', execute: [oauth.allowInsecureRequests] };
    config = await oauth.discovery(new URL(discord.url), APPLICATION.id, undefined, basic, options);
  });
  afterAll(async () => {
    await Promise.all([browser.close(), discord.close(), dashboard[Symbol.asyncDispose]()]);
  });

  test('a user chooses who they are and grants; the tokens work, renew, and end with the revocation', async () => {
    await using browsing = await newPage();
    const { page, errors } = browsing;
    const login = await beginLogin();
    await page.goto(login.url);
    await page.getByRole('heading', { name: 'Settings wants to access your account' }).waitFor();
    await page.getByText('list your servers').waitFor();
    await page.getByLabel('You are').selectOption({ label: 'mika' });
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.waitForURL(`${redirectUri}?*`);

    const tokens = await login.finish(page);
    expect(tokens).toMatchObject({ scope: SCOPE, expires_in: 604_800 });
    expect(await (await get(discord, '/users/@me', tokens.access_token)).json()).toMatchObject({ id: MEMBER.id });
    const renewed = await oauth.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect((await get(discord, '/users/@me', renewed.access_token)).status).toBe(200);
    await expect(oauth.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await oauth.tokenRevocation(config, renewed.access_token);
    for (const ended of [tokens.access_token, renewed.access_token]) {
      expect((await get(discord, '/users/@me', ended)).status).toBe(401);
    }
    expect(errors).toStrictEqual([]);
  });

  test('prompt=none shows the page until the user of this browser grants, also after access_denied', async () => {
    await using browsing = await newPage();
    const { page } = browsing;
    const denied = await beginLogin({ prompt: 'none' });
    await page.goto(denied.url);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(`${redirectUri}?*`);
    await expect(denied.finish(page)).rejects.toMatchObject({ error: 'access_denied' });
    const first = await beginLogin({ prompt: 'none' });
    await page.goto(first.url);
    await page.getByLabel('You are').selectOption({ label: 'Olga (olga)' });
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.waitForURL(`${redirectUri}?*`);
    const second = await beginLogin({ prompt: 'none' });
    await page.goto(second.url);
    expect(page.url()).toContain(`${redirectUri}?code=`);
    const { access_token } = await second.finish(page);
    expect(await (await get(discord, '/users/@me', access_token)).json()).toMatchObject({ id: OWNER.id });
    await page.goto((await beginLogin()).url);
    await expect.poll(() => page.getByLabel('You are').inputValue()).toBe(OWNER.id);
  });
});
