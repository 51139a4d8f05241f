import type { DiscordSim } from '../sim.ts';
import type { WorldFile } from './world-file.ts';

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
