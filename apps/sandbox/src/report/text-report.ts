import { APPLICATION, GUILDS, TOKENS } from '@guild-settings/discord-sim/testing/world';
import type { Sandbox } from '../start-sandbox.ts';
import { examples } from './examples.ts';
import { table } from './table.ts';

export function textReport(sandbox: Sandbox): string {
  const parts = sandbox.chatUrl !== null ? simulated(sandbox) : real(sandbox);
  return `${parts.join('\n\n')}\n\nStop with Ctrl-C.`;
}

function simulated(sandbox: Sandbox): string[] {
  const { apiUrl, dashboardUrl, docsUrl, discord, chatUrl, bot } = sandbox;
  return [
    'The guild-settings sandbox is running, with a simulated Discord and a bot.',
    table([
      ...(dashboardUrl ? [['dashboard', `${dashboardUrl} (log in as Mika, who manages three guilds)`]] : []),
      [
        'chat',
        `${chatUrl} (opens as Mika in Discord Testers: send /help; then change a setting below, and send it again)`,
      ],
      ['api', apiUrl],
      ...(docsUrl ? [['docs', docsUrl]] : []),
      ['Discord', `${discord.apiUrl} (application ${APPLICATION.id}, secret ${APPLICATION.clientSecret})`],
      ...botRows(bot),
      ['data', `${filesOf(sandbox)} (kept when this stops; delete them to start afresh)`],
    ]),
    `Guilds\n${table([['id', 'manager may', 'name'], ...GUILDS.map(({ id, managed, name }) => [id, managed ? 'yes' : 'no', name])])}`,
    `Tokens\n${table([['role', 'token', 'may'], ...TOKENS.map(({ role, token, may }) => [role, token, may])])}`,
    `Try\n${examples(apiUrl)
      .map(({ title, command }) => `  # ${title}\n  ${command}`)
      .join('\n')}`,
  ];
}

function real(sandbox: Sandbox): string[] {
  const { apiUrl, dashboardUrl, docsUrl, discord, bot } = sandbox;
  return [
    bot
      ? 'The api and the bot are running against the real Discord, because DISCORD_APPLICATION_ID is set.'
      : 'The api is running against the real Discord, because DISCORD_APPLICATION_ID is set.',
    table([
      ...(dashboardUrl
        ? [['dashboard', `${dashboardUrl} (register ${dashboardUrl}/callback as a redirect of your application)`]]
        : []),
      ['api', apiUrl],
      ...(docsUrl ? [['docs', docsUrl]] : []),
      ['Discord', `${discord.apiUrl} (application ${discord.applicationId})`],
      ...(bot ? botRows(bot) : [['bot', 'not started: set DISCORD_CLIENT_SECRET and DISCORD_BOT_TOKEN']]),
      ['data', `${filesOf(sandbox)} (kept when this stops)`],
    ]),
    'Send a Discord OAuth2 access token that was issued to this application with the scopes "identify guilds":\n' +
      `  curl -i ${apiUrl}/guilds/<guild id> -H 'Authorization: Bearer <access token>'`,
  ];
}

function filesOf({ database, botDatabasePath }: Sandbox): string {
  return [database, botDatabasePath].filter((path) => path !== null).join(', ');
}

function botRows(bot: Sandbox['bot']): string[][] {
  return bot ? [['bot', `${bot.healthUrl}/readyz, ${bot.healthUrl}/metrics`]] : [];
}
