import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DiscordSim } from '../../sim.ts';
import { APPLICATION, MEMBER, postForm, REDIRECT_URI, startPopulatedSim } from '../../testing/populated-sim.ts';
import { codeChallengeOf } from '../../world/tokens.ts';

/** The example of https://www.rfc-editor.org/rfc/rfc7636#appendix-B */
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

let discord: DiscordSim;
beforeAll(async () => {
  discord = await startPopulatedSim();
});
afterAll(() => discord.close());

/** Exchanges a code that was issued with a challenge; undefined: without. */
async function exchange(codeChallenge: string | undefined, verifier: Readonly<Record<string, string>>) {
  const code = discord.world.issueAuthorizationCode({
    userId: MEMBER.id,
    applicationId: APPLICATION.id,
    scopes: ['identify'],
    redirectUri: REDIRECT_URI,
    ...(codeChallenge !== undefined && { codeChallenge }),
  });
  const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, ...verifier };
  const response = await postForm(discord, '/oauth2/token', form, APPLICATION);
  return { status: response.status, body: await response.json() };
}

test('a code that was requested with a challenge is exchanged with its verifier of 43 to 128 characters', async () => {
  expect(await exchange(CHALLENGE, { code_verifier: VERIFIER })).toMatchObject({ status: 200 });
  for (const verifier of ['-._~'.padEnd(43, 'aZ09'), '-._~'.padEnd(128, 'aZ09')]) {
    expect(await exchange(codeChallengeOf(verifier), { code_verifier: verifier })).toMatchObject({ status: 200 });
  }
});

test.each([
  ['no verifier', {}, 'invalid_request', 'Missing "code_verifier"'],
  ['an empty verifier', { code_verifier: '' }, 'invalid_request', 'Missing "code_verifier"'],
  ['42 characters', { code_verifier: 'x'.repeat(42) }, 'invalid_request', 'Invalid "code_verifier"'],
  ['129 characters', { code_verifier: 'x'.repeat(129) }, 'invalid_request', 'Invalid "code_verifier"'],
  ['a reserved character', { code_verifier: `${VERIFIER}+` }, 'invalid_request', 'Invalid "code_verifier"'],
  ['another verifier', { code_verifier: `${VERIFIER}x` }, 'invalid_grant', 'Invalid "code_verifier" in request.'],
  ['the challenge itself', { code_verifier: CHALLENGE }, 'invalid_grant', 'Invalid "code_verifier" in request.'],
])('%s in place of the verifier is refused', async (_name, form, error, description) => {
  const refused = { status: 400, body: { error, error_description: description } };
  expect(await exchange(CHALLENGE, form)).toStrictEqual(refused);
});

test('a verifier is refused for a code that was requested without a challenge', async () => {
  const refused = { status: 400, body: { error: 'invalid_grant' } };
  expect(await exchange(undefined, { code_verifier: VERIFIER })).toMatchObject(refused);
});
