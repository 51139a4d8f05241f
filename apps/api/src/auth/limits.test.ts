import { ProblemError } from '@guild-settings/contract';
import { describe, expect, test } from 'vitest';
import {
  createInvalidTokenLimit,
  createLoginLimit,
  createPrincipalLimit,
  type LoginLimit,
  MAX_CLIENTS,
  type RateLimitState,
} from './limits.ts';
import type { Principal } from './principal.ts';

test('counts the calls of each principal for a minute of the monotonic clock, from its first call on', () => {
  let nowMs = 5_000;
  const limit = createPrincipalLimit({ perMinute: 2, monotonicMs: () => nowMs });
  const application: Principal = { kind: 'application', applicationId: '80351110224678912' };
  const onBehalf: Principal = { ...application, onBehalfOf: '53908099506183680' };
  const call = (principal: Principal): Partial<RateLimitState> & { readonly refused?: true } => {
    let state: RateLimitState | undefined;
    const keep = (found: RateLimitState) => {
      state = found;
    };
    try {
      limit.spend(principal, keep);
      return { ...state };
    } catch (error) {
      expect(error).toMatchObject({ slug: 'rate-limited', options: { retryAfter: state?.resetSeconds } });
      return { ...state, refused: true };
    }
  };
  expect(call(application)).toStrictEqual({ limit: 2, windowSeconds: 60, remaining: 1, resetSeconds: 60 });
  nowMs += 59_500;
  expect(call(application)).toMatchObject({ remaining: 0, resetSeconds: 1 });
  expect(call(application)).toMatchObject({ remaining: 0, resetSeconds: 1, refused: true });
  expect(call(onBehalf)).toMatchObject({ remaining: 1, resetSeconds: 60 });
  nowMs += 500;
  expect(call(application)).toMatchObject({ remaining: 1, resetSeconds: 60 });
});

const network = (n: number) => `2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`;

function isRefused(spend: () => unknown): boolean {
  try {
    spend();
    return false;
  } catch (error) {
    return error instanceof ProblemError && error.slug === 'rate-limited';
  }
}

test('logins of any number of networks are counted in a bounded memory: the oldest count makes room', () => {
  const limit = createLoginLimit(() => 0);
  const first = network(0);
  while (!isRefused(() => limit.begin(first)));
  for (let n = 1; n < MAX_CLIENTS; n++) limit.begin(network(n));
  // The client is within the number of networks that are counted.
  expect(isRefused(() => limit.begin(first))).toBe(true);
  for (let n = 0; n < MAX_CLIENTS; n++) limit.begin(network(MAX_CLIENTS + n));
  expect(isRefused(() => limit.begin(first))).toBe(false);
});

const addressOf = (n: number) => `203.0.${n >> 8}.${n & 255}`;

function failFrom(limit: LoginLimit, addresses: number, times: number): void {
  for (let n = 0; n < addresses; n += 1) {
    for (let time = 0; time < times; time += 1) limit.complete(addressOf(n));
  }
}

test('logins that succeed count neither for their address nor for all', () => {
  const limit = createLoginLimit(() => 0);
  for (let n = 0; n < 1_600; n += 1) limit.complete(addressOf(n % 20))();
  failFrom(limit, 20, 50);
});

test('50 logins of an address may fail', () => {
  const limit = createLoginLimit(() => 0);
  failFrom(limit, 1, 50);
  expect(() => limit.complete(addressOf(0))).toThrow(ProblemError);
  limit.complete(addressOf(1));
});

test('after 1,000 failures of all, addresses with one are refused, and after 1,500 every address is', () => {
  const limit = createLoginLimit(() => 0);
  failFrom(limit, 20, 50);
  limit.complete(addressOf(20));
  expect(() => limit.complete(addressOf(20))).toThrow(ProblemError);
  for (let n = 21; n < 520; n += 1) limit.complete(addressOf(n));
  expect(() => limit.complete(addressOf(600))).toThrow(ProblemError);
});

async function spend(limit: ReturnType<typeof createInvalidTokenLimit>, clientIp: string): Promise<void> {
  for (let count = 0; count < 100; count++) await limit.count(clientIp);
}

describe('the limit of invalid tokens', () => {
  test.each([
    ['2001:db8::1', '2001:db8::2', 'one IPv6 network'],
    ['2001:db8:0:0:1::', '2001:DB8::ffff:1:2:3', 'one IPv6 network in other words'],
    ['::ffff:192.0.2.1', '192.0.2.1', 'one IPv4 address, mapped or not'],
  ])('holds %s and %s to be one client: %s', async (one, other) => {
    const limit = createInvalidTokenLimit();
    await spend(limit, one);
    await expect(limit.check(other)).rejects.toMatchObject({ slug: 'rate-limited' });
  });

  test.each([
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['192.0.2.1', '192.0.2.2'],
  ])('holds %s and %s apart', async (one, other) => {
    const limit = createInvalidTokenLimit();
    await spend(limit, one);
    await expect(limit.check(other)).resolves.toBeUndefined();
  });

  test('also counts the tokens of all clients, and refuses clients without an invalid token last', async () => {
    const limit = createInvalidTokenLimit();
    for (let client = 0; client < 50; client++) await spend(limit, `192.0.2.${client}`);
    await limit.count('198.51.100.1');
    await expect(limit.check('198.51.100.1')).rejects.toMatchObject({ fault: 'overloaded' });
    await expect(limit.check('198.51.100.2')).resolves.toBeUndefined();
    for (let client = 50; client < 80; client++) await spend(limit, `192.0.2.${client}`);
    await expect(limit.check('198.51.100.2')).rejects.toMatchObject({ fault: 'overloaded' });
  });
});
