import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { expect, test } from 'vitest';
import { startDiscordSim } from '../sim.ts';
import { World } from '../world/world.ts';
import { HELP, readOptions } from './options.ts';
import { fillWorld, jsonReport, readWorldFile, textReport } from './world-file.ts';

test('every option has a default', () => {
  const defaults = { host: '127.0.0.1', port: 3001, worldPath: null, redirectUris: [], isJson: false };
  expect(readOptions([])).toStrictEqual(defaults);
});

test('every option is in the help', () => {
  const args = ['--port=0', '--host=[::1]', '--world=w.json', '--redirect-uri=a:b', '--redirect-uri=c:d', '--json'];
  const given = { host: '::1', port: 0, worldPath: 'w.json', redirectUris: ['a:b', 'c:d'], isJson: true };
  expect(readOptions(args)).toStrictEqual(given);
  for (const arg of args) expect(HELP).toContain(arg.split('=')[0]);
});

test.each([[['--help']], [['-h']], [['--', '--help']]])('%j asks for the help', (args) => {
  expect(readOptions(args)).toBeNull();
});

test.each([
  [['--colour'], "Unknown option '--colour'"],
  [['--port', '65536'], 'Expected a port from 0 to 65535 for --port, received "65536".'],
  [['--port', '1e3'], 'received "1e3"'],
  [['--world'], '--world'],
  [['extra'], 'extra'],
])('%j is refused with exit code 2', (args, message) => {
  const refused = { exitCode: 2, message: expect.stringContaining(message) };
  expect(() => readOptions(args)).toThrow(expect.objectContaining(refused));
});

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

const PERSON = { id: '1200000000000000001', username: 'olga' };
const GUILD = { id: '1300000000000000001', name: 'Testers', ownerId: PERSON.id, channels: [] };
const EMPTY = { people: [], applications: [], guilds: [] };

async function read(content: string) {
  const folder = await mkdtemp(join(tmpdir(), 'discord-sim-'));
  const path = join(folder, 'world.json');
  try {
    await writeFile(path, content);
    return await readWorldFile(path);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('the world of the package has a bot in a guild, with an owner and members', async () => {
  const file = await readWorldFile(null);
  const world = new World(Date.now);
  fillWorld(world, file);
  const [application] = file.applications;
  const [guild] = file.guilds;
  const members = world.membersOf(guild?.id ?? '').map(({ userId }) => userId);
  expect(members).toStrictEqual([...file.people.map(({ id }) => id), application?.id]);
});

test('permissions are named as in the documentation of Discord', async () => {
  const member = { ...PERSON, id: '1200000000000000002' };
  const guild = { ...GUILD, members: [{ userId: member.id, permissions: ['SendMessages', 'ManageGuild'] }] };
  const world = new World(Date.now);
  fillWorld(world, await read(JSON.stringify({ ...EMPTY, people: [PERSON, member], guilds: [guild] })));
  const [membership] = world.membershipsOf(member.id);
  expect(membership?.permissions).toBe(PermissionFlagsBits.SendMessages | PermissionFlagsBits.ManageGuild);
});

test.each([
  ['that is not JSON', '{', 'JSON'],
  ['without a list', JSON.stringify({ people: [], guilds: [] }), 'applications'],
  ['with a number for an id', JSON.stringify({ ...EMPTY, people: [{ ...PERSON, id: 1 }] }), 'people[0].id'],
  ['with an id that is too short', JSON.stringify({ ...EMPTY, people: [{ ...PERSON, id: '12' }] }), '17 to 20 digits'],
  ['with an unknown property', JSON.stringify({ ...EMPTY, guild: [] }), '"guild"'],
])('a file %s is refused', async (_name, content, reason) => {
  await expect(read(content)).rejects.toThrow(/^The world .*world\.json is not usable:\n/);
  await expect(read(content)).rejects.toThrow(reason);
});

test('a missing file and a guild of an unknown owner are refused', async () => {
  await expect(readWorldFile('/nowhere/world.json')).rejects.toThrow('/nowhere/world.json is not usable:\nENOENT');
  const file = await read(JSON.stringify({ ...EMPTY, guilds: [GUILD] }));
  expect(() => fillWorld(new World(Date.now), file)).toThrow(`Unknown user ${PERSON.id}`);
});
