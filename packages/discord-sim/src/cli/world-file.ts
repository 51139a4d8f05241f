import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { z } from 'zod';
import type { DiscordSim } from '../sim.ts';
import { EVERYDAY_PERMISSIONS } from '../world/permissions.ts';
import type { World } from '../world/world.ts';
import { CommandError } from './options.ts';

/** The package's folder is two levels up, from src and from dist. */
const DEFAULT_WORLD = new URL('../../world.json', import.meta.url);

const snowflake = z.string().regex(/^[0-9]{17,20}$/, 'Expected a snowflake of 17 to 20 digits, as a string');
const permission = z.enum(Object.keys(PermissionFlagsBits) as [keyof typeof PermissionFlagsBits]);

const WORLD_FILE = z.strictObject({
  people: z.array(
    z.strictObject({
      id: snowflake,
      username: z.string().min(1),
      globalName: z.string().nullable().default(null),
      avatar: z.string().nullable().default(null),
    }),
  ),
  applications: z.array(
    z.strictObject({
      id: snowflake,
      name: z.string(),
      icon: z.string().nullable().default(null),
      clientSecret: z.string().min(1),
      /** Without it the application has no bot. */
      botToken: z.string().min(1).nullable().default(null),
      ownerId: snowflake.nullable().default(null),
      redirectUris: z.array(z.string()).default([]),
    }),
  ),
  guilds: z.array(
    z.strictObject({
      id: snowflake,
      name: z.string(),
      ownerId: snowflake,
      channels: z.array(
        z.strictObject({ id: snowflake, name: z.string(), type: z.enum(['text', 'announcement']).default('text') }),
      ),
      /** Without permissions a member may read and write. */
      members: z.array(z.strictObject({ userId: snowflake, permissions: z.array(permission).optional() })).default([]),
    }),
  ),
});

export type WorldFile = z.output<typeof WORLD_FILE>;

/**
 * Reads a world file; `null`: the one of this package.
 *
 * @throws {CommandError} when it cannot be read, or is invalid
 */
export async function readWorldFile(path: string | null): Promise<WorldFile> {
  const file = path === null ? DEFAULT_WORLD : resolve(path);
  const refusal = (reason: string) => new CommandError(`The world ${file} is not usable:\n${reason}`);
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw refusal(error.message);
  });
  const result = WORLD_FILE.safeParse(parsed(text, refusal));
  if (!result.success) throw refusal(z.prettifyError(result.error));
  return result.data;
}

/**
 * Adds the content of a file. Every bot is in every guild.
 *
 * @throws {CommandError} when the file refers to an unknown id, or has an invalid redirect URI
 */
export function fillWorld(world: World, file: WorldFile): void {
  try {
    fill(world, file);
  } catch (error) {
    throw new CommandError(`The world is not usable:\n${error instanceof Error ? error.message : String(error)}`);
  }
}

function fill(world: World, { people, applications, guilds }: WorldFile): void {
  for (const person of people) world.addUser(person);
  for (const { botToken, ...application } of applications) {
    world.addApplication(application);
    if (botToken !== null) world.addBot({ applicationId: application.id, token: botToken });
  }
  for (const { id, name, ownerId, channels, members } of guilds) {
    world.addGuild({ id, name, ownerId });
    for (const channel of channels) world.addChannel({ ...channel, guildId: id });
    for (const { userId, permissions } of members) world.addMember(id, userId, { permissions: bitsOf(permissions) });
    for (const { applicationId } of world.bots.all()) world.addBotToGuild(id, { applicationId });
  }
}

function bitsOf(names: WorldFile['guilds'][number]['members'][number]['permissions']): bigint {
  return names?.reduce((bits, name) => bits | PermissionFlagsBits[name], 0n) ?? EVERYDAY_PERMISSIONS;
}

function parsed(text: string, refusal: (reason: string) => CommandError): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(error instanceof Error ? error.message : String(error));
  }
}

export function jsonReport(discord: DiscordSim, { applications, people, guilds }: WorldFile): string {
  return JSON.stringify({ ...urlsOf(discord, applications), applications, people, guilds });
}

export function textReport(discord: DiscordSim, { applications, people, guilds }: WorldFile): string {
  const urls = urlsOf(discord, applications);
  const channels = guilds.flatMap((guild) => guild.channels.map(({ id, name }) => [guild.id, id, `#${name}`]));
  const redirects = applications.flatMap(({ id, redirectUris }) => redirectUris.map((uri) => [id, uri]));
  return [
    'The simulated Discord is running.',
    table([
      ['url', urls.url],
      ['API', urls.apiUrl],
      ['chat', urls.chatUrl],
      ...(urls.authorizeUrl === null ? [] : [['authorize', urls.authorizeUrl]]),
    ]),
    section(
      'Applications',
      ['client id', 'client secret', 'bot token', 'name'],
      [...applications.map(({ id, clientSecret, botToken, name }) => [id, clientSecret, botToken ?? 'no bot', name])],
    ),
    section('Redirect URIs', ['client id', 'redirect URI'], redirects),
    section(
      'People',
      ['id', 'username', 'name'],
      [...people.map(({ id, username, globalName }) => [id, username, globalName ?? username])],
    ),
    section(
      'Guilds',
      ['id', 'owner', 'name'],
      guilds.map(({ id, ownerId, name }) => [id, ownerId, name]),
    ),
    section('Channels', ['guild', 'id', 'name'], channels),
    'Stop with Ctrl-C.',
  ].join('\n\n');
}

function urlsOf({ url, apiUrl, chatUrl, authorizeUrl }: DiscordSim, applications: WorldFile['applications']) {
  const application = applications.find(({ redirectUris }) => redirectUris.length > 0);
  const [redirectUri] = application?.redirectUris ?? [];
  if (!application || redirectUri === undefined) return { url, apiUrl, chatUrl, authorizeUrl: null };
  const query = new URLSearchParams({
    client_id: application.id,
    response_type: 'code',
    scope: 'identify guilds',
    redirect_uri: redirectUri,
  });
  return { url, apiUrl, chatUrl, authorizeUrl: `${authorizeUrl}?${query}` };
}

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  return `${title}\n${table([head, ...rows])}`;
}

/** Formats rows as indented columns. The last column is not padded, so it may contain text of any script. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => (column < row.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell)))
    .map((cells) => `  ${cells.join('  ')}`)
    .join('\n');
}
