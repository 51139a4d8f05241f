import { expect, test } from 'vitest';
import { startDiscordSim } from '../sim.ts';

const ICON = 'f64c482b807da4f539cff778d174971c';
const AVATAR = `a_${'0a'.repeat(16)}`;

test('icons and avatars of the world are images of a pixel, and everything else is not found', async () => {
  await using sim = await startDiscordSim();
  sim.world.addUser({ id: '1200000000000000001', username: 'olga', avatar: AVATAR });
  sim.world.addGuild({ id: '1300000000000000001', name: 'Testers', icon: ICON, ownerId: '1200000000000000001' });
  for (const path of [`icons/1300000000000000001/${ICON}.webp?size=128`, `avatars/1200000000000000001/${AVATAR}.gif`]) {
    const response = await fetch(`${sim.url}/${path}`);
    expect([path, response.status, response.headers.get('content-type')]).toStrictEqual([path, 200, 'image/gif']);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString('latin1', 0, 10)).toBe('GIF89a\x01\0\x01\0');
  }
  for (const path of [
    `icons/1300000000000000001/${AVATAR}.webp`,
    `icons/1300000000000000001/${ICON}.svg`,
    `icons/1300000000000000009/${ICON}.webp`,
    `avatars/1200000000000000001/${ICON}.png`,
  ]) {
    expect([path, (await fetch(`${sim.url}/${path}`)).status]).toStrictEqual([path, 404]);
  }
});
