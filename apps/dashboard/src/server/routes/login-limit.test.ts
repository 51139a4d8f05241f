import { ProblemError } from '@guild-settings/contract';
import { expect, test } from 'vitest';
import { BoundedLimit, MAX_KEYS } from './bounded-limit.ts';
import { createLoginLimit, type LoginLimit } from './login-limit.ts';

/** Returns the address of the n-th network of 64 bits. */
const network = (n: number) => `2001:db8:${(n >> 16).toString(16)}:${(n & 0xffff).toString(16)}::1`;

const isRefused = (spending: Promise<unknown>) =>
  spending.then(
    () => false,
    (error: unknown) => error instanceof ProblemError && error.slug === 'rate-limited',
  );

test('a limit forgets the key that was not counted for the longest time, and remembers those that are', async () => {
  const limit = new BoundedLimit({ points: 1, windowSeconds: 600 });
  for (const key of ['idle', 'busy']) await limit.spend(key);
  for (let n = 0; n < MAX_KEYS - 1; n++) {
    await limit.spend(`key ${n}`);
    if (n % 1_000 === 0) expect(await isRefused(limit.spend('busy'))).toBe(true);
  }
  expect([await limit.spent('idle'), await limit.spent('busy')]).toStrictEqual([0, 11]);
  expect(await isRefused(limit.spend('idle'))).toBe(false);
});

test('a count that is taken back after its key was forgotten changes nothing', async () => {
  const limit = new BoundedLimit({ points: 1, windowSeconds: 600 });
  await limit.giveBack('never counted');
  expect(await limit.spent('never counted')).toBe(0);
});

test('logins of any number of networks are counted in a bounded memory: the oldest count makes room', async () => {
  const limit = createLoginLimit();
  const first = network(0);
  while (!(await isRefused(limit.begin(first))));
  for (let n = 1; n < MAX_KEYS; n++) await limit.begin(network(n));
  // The client is among the most networks that are counted.
  expect(await isRefused(limit.begin(first))).toBe(true);
  for (let n = 0; n < MAX_KEYS; n++) await limit.begin(network(MAX_KEYS + n));
  expect(await isRefused(limit.begin(first))).toBe(false);
});

const addressOf = (n: number) => `203.0.${n >> 8}.${n & 255}`;
const LIMITED = { slug: 'rate-limited' };

async function failFrom(limit: LoginLimit, addresses: number, times: number): Promise<void> {
  for (let n = 0; n < addresses; n += 1) {
    for (let time = 0; time < times; time += 1) await limit.complete(addressOf(n));
  }
}

test('logins that succeed count neither for their address nor for all', async () => {
  const limit = createLoginLimit();
  for (let n = 0; n < 1_600; n += 1) await (await limit.complete(addressOf(n % 20)))();
  await failFrom(limit, 20, 50);
});

test('50 logins of an address may fail', async () => {
  const limit = createLoginLimit();
  await failFrom(limit, 1, 50);
  await expect(limit.complete(addressOf(0))).rejects.toMatchObject(LIMITED);
  await limit.complete(addressOf(1));
});

test('after 1,000 failures of all, addresses with one are refused, and after 1,500 every address is', async () => {
  const limit = createLoginLimit();
  await failFrom(limit, 20, 50);
  await limit.complete(addressOf(20));
  await expect(limit.complete(addressOf(20))).rejects.toMatchObject(LIMITED);
  for (let n = 21; n < 520; n += 1) await limit.complete(addressOf(n));
  await expect(limit.complete(addressOf(600))).rejects.toMatchObject(LIMITED);
});
