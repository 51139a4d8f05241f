import { expect, test } from 'vitest';
import { startDiscordSim } from '../sim.ts';
import { jsonReport, textReport } from './command-line.ts';
import { readWorldFile } from './world-file.ts';

test('the text has every URL, id, name and secret of the world', async () => {
  await using discord = await startDiscordSim();
  const world = await readWorldFile(null);
  const text = textReport(discord, world);
  for (const url of [discord.url, discord.apiUrl, discord.chatUrl, discord.authorizeUrl]) expect(text).toContain(url);
  const { applications, people, guilds } = world;
  const rows = [...applications, ...people, ...guilds, ...guilds.flatMap(({ channels }) => channels)];
  for (const { id } of rows) expect(text).toContain(id);
  for (const word of ['my-client-secret', 'my-bot-token', 'रवि', 'Testers', '#general']) expect(text).toContain(word);
});

test('without a redirect URI there is no URL to authorize at', async () => {
  await using discord = await startDiscordSim();
  const world = { applications: [], people: [], guilds: [] };
  expect(JSON.parse(jsonReport(discord, world))).toMatchObject({ url: discord.url, authorizeUrl: null });
  expect(textReport(discord, world)).not.toContain(discord.authorizeUrl);
});
