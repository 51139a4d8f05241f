import { ProblemError } from '@guild-settings/contract';
import { expect, test } from 'vitest';
import { createLoginLimit, type LoginLimit, MAX_CLIENTS } from './login-limit.ts';

/** Returns the address of the n-th network of 64 bits. */
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
  // The client is among the most networks that are counted.
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
