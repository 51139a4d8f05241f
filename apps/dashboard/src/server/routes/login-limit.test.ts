import { expect, test } from 'vitest';
import { createLoginLimit, type LoginLimit } from './login-limit.ts';

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
