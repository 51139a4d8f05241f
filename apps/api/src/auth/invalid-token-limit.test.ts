import { describe, expect, test } from 'vitest';
import { createInvalidTokenLimit } from './invalid-token-limit.ts';

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
