import { APPLICATION, BOT, GUILDS, PEOPLE, TOKENS, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { stopSignal } from '@guild-settings/runtime/command-line';
import { readSandboxConfig } from './config.ts';
import { waitForDiscord } from './real-discord.ts';
import { type Sandbox, type SimulatorUrls, startSandbox } from './start-sandbox.ts';

export interface RunOptions {
  readonly isNewDatabaseAllowed: boolean;
  /** The format of the printed suggestions; null: nothing is printed. */
  readonly report: 'text' | 'json' | null;
  /** A running simulated Discord; one is started unless given. */
  readonly simulator?: SimulatorUrls | undefined;
  /** The URL of the api for clients; the one on which it listens unless given. */
  readonly apiUrl?: string | undefined;
}

/** Starts the sandbox, prints suggestions, and closes it when the process is stopped. */
export async function runUntilStopped({ report, ...options }: RunOptions): Promise<void> {
  const config = readSandboxConfig();
  const stop = stopSignal();
  if (config.discord.kind === 'real') {
    const { applicationId, apiUrl } = config.api.discord;
    const mode = `Your application ${applicationId}, Discord at ${apiUrl}. Unset every DISCORD_* variable for a simulated Discord.`;
    // With --json, standard output is for the report.
    if (report) (report === 'json' ? console.error : console.log)(mode);
    await waitForDiscord(apiUrl, { signal: stop, print: console.error });
    if (stop.aborted) return;
  }
  const sandbox = await startSandbox(config, { ...options, hasFirstChanges: true });
  stop.addEventListener('abort', async () => {
    try {
      await sandbox.close();
      process.exitCode = 0;
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
  });
  if (report) console.log(report === 'json' ? jsonReport(sandbox) : textReport(sandbox));
}

export function textReport(sandbox: Sandbox): string {
  const parts = sandbox.chatUrl !== null ? simulatedParts(sandbox) : realParts(sandbox);
  return `${parts.join('\n\n')}\n\nStop with Ctrl-C.`;
}

function simulatedParts(sandbox: Sandbox): string[] {
  const { apiUrl, discord, chatUrl, bot } = sandbox;
  const examples = examplesOf(apiUrl).map(({ title, command }) => `  # ${title}\n  ${command}`);
  const use = bot ? ': send /help; then change a setting below, and send it again' : '';
  return [
    `The guild-settings sandbox is running, with a simulated Discord${bot ? ' and a bot' : ''}.`,
    partsTable(sandbox, {
      dashboard: 'log in as Mika, who manages three guilds',
      chat: `${chatUrl} (opens as Mika in Discord Testers${use})`,
      discord: `${discord.apiUrl} (application ${APPLICATION.id}, secret ${APPLICATION.clientSecret})`,
      data: 'kept when this stops; delete them to start afresh',
    }),
    `Guilds\n${table([['id', 'manager may', 'name'], ...GUILDS.map(({ id, managed, name }) => [id, managed ? 'yes' : 'no', name])])}`,
    `Tokens\n${table([['role', 'token', 'may'], ...TOKENS.map(({ role, token, may }) => [role, token, may])])}`,
    `Try\n${examples.join('\n')}`,
  ];
}

function realParts(sandbox: Sandbox): string[] {
  const { apiUrl, dashboardUrl, discord, bot } = sandbox;
  const running = bot ? 'The api and the bot are' : 'The api is';
  return [
    `${running} running against the real Discord, because DISCORD_APPLICATION_ID is set.`,
    partsTable(sandbox, {
      dashboard: `register ${dashboardUrl}/callback as a redirect of your application`,
      discord: `${discord.apiUrl} (application ${discord.applicationId})`,
      data: 'kept when this stops',
    }),
    'Send a Discord OAuth2 access token that was issued to this application with the scopes "identify guilds":\n' +
      `  curl -i ${apiUrl}/guilds/<guild id> -H 'Authorization: Bearer <access token>'`,
  ];
}

interface PartNotes {
  readonly dashboard: string;
  readonly chat?: string;
  readonly discord: string;
  readonly data: string;
}

function partsTable({ apiUrl, dashboardUrl, secondTabUrl, docsUrl, bot, ...files }: Sandbox, notes: PartNotes): string {
  const paths = [files.database, files.botDatabasePath].filter((path) => path !== null).join(', ');
  const health = bot && `${bot.healthUrl}/readyz, ${bot.healthUrl}/metrics`;
  const token = files.chatUrl === null ? 'its token' : `the token ${BOT.token}`;
  const none = files.discord.botToken ? `start yours with ${token}` : 'set DISCORD_CLIENT_SECRET and DISCORD_BOT_TOKEN';
  return table([
    ...(dashboardUrl ? [['dashboard', `${dashboardUrl} (${notes.dashboard})`]] : []),
    ...(secondTabUrl
      ? [['', `${secondTabUrl} (open a second tab as ${PEOPLE.owner.globalName}, who owns all guilds)`]]
      : []),
    ...(notes.chat ? [['chat', notes.chat]] : []),
    ['api', apiUrl],
    ...(docsUrl ? [['docs', docsUrl]] : []),
    ['Discord', notes.discord],
    ['bot', health ?? `not started: ${none}`],
    ['data', `${paths} (${notes.data})`],
  ]);
}

export function jsonReport({
  apiUrl,
  dashboardUrl,
  secondTabUrl,
  docsUrl,
  discord,
  chatUrl,
  bot,
  ...files
}: Sandbox): string {
  const urls = {
    dashboard: dashboardUrl,
    api: apiUrl,
    docs: docsUrl,
    openapi: `${apiUrl}/openapi.json`,
    health: bot?.healthUrl ?? null,
  };
  const databases = { database: files.database, botDatabase: files.botDatabasePath };
  if (chatUrl === null) {
    const { botToken: _secret, ...application } = discord;
    return JSON.stringify({ mode: 'real', ...urls, discord: application, ...databases });
  }
  return JSON.stringify({
    mode: 'simulated',
    ...urls,
    secondTab: secondTabUrl,
    chat: chatUrl,
    discord: { ...discord, clientSecret: APPLICATION.clientSecret },
    ...databases,
    guilds: GUILDS.map(({ id, name }) => ({ id, name })),
    tokens: Object.fromEntries(TOKENS.map(({ role, token }) => [role, token])),
    examples: examplesOf(apiUrl).map(({ command }) => command),
  });
}

function examplesOf(apiUrl: string) {
  const url = `${apiUrl}/guilds/${GUILDS[0].id}`;
  const asRole = (role: 'manager' | 'member') => `-H 'Authorization: Bearer ${tokenOf(role)}'`;
  const body = JSON.stringify({ prefix: '?', language: 'ja' });
  return [
    { title: "Read a guild's settings", command: `curl -i ${url} ${asRole('manager')}` },
    {
      title: 'Change two of them, and wait until the bot uses them',
      command: `curl -i -X PATCH ${url} ${asRole('manager')} -H 'Content-Type: application/json' -H 'Prefer: wait=2' -d '${body}'`,
    },
    { title: 'Be refused: a member without Manage Guild', command: `curl -i ${url} ${asRole('member')}` },
  ];
}

/** Formats rows as indented columns. The last column is not padded, so it may contain text of any script. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => (column < row.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell)))
    .map((cells) => `  ${cells.join('  ')}`)
    .join('\n');
}
