import type { CheckConfig } from './config.ts';
import { type Answer, requestDiscord } from './discord-request.ts';
import { type Finding, notChecked, ok, wrong } from './finding.ts';

/** Scopes and permissions with which a server adds an application. */
interface InstallParams {
  readonly scopes: readonly string[];
  readonly permissions: string;
}

/**
 * The application, as Discord shows it to its bot.
 * @see https://discord.com/developers/docs/resources/application#application-object
 */
interface CurrentApplication {
  readonly id: string;
  readonly name: string;
  readonly bot: { readonly username: string };
  readonly flags: number;
  readonly bot_public: boolean;
  readonly bot_require_code_grant: boolean;
  readonly interactions_endpoint_url: string | null;
  readonly redirect_uris: readonly string[];
  readonly integration_types_config: Readonly<Record<string, { readonly oauth2_install_params?: InstallParams }>>;
}

/** Flags of the Message Content Intent: of a verified application, and of one in fewer than 100 servers. */
const MESSAGE_CONTENT = (1 << 18) | (1 << 19);

/** The installation to a server, among those of `integration_types_config`. */
const GUILD_INSTALL = '0';

const BOT_SCOPES = ['bot', 'applications.commands'];

/** Checks the token of the bot, and by it the application with its bot. */
export async function checkApplication(config: CheckConfig): Promise<Finding[]> {
  const application = await currentApplication(config);
  if (application === undefined) {
    return [
      wrong('The token of the bot is not accepted. Bot > Reset Token: set DISCORD_BOT_TOKEN to the new one.'),
      notChecked('Without the token: the bot, its intents, the redirect and the installation.'),
    ];
  }
  const { id, name = '', bot } = application;
  if (id !== config.applicationId) {
    return [
      wrong(
        `The token of the bot is of another application, ${name} (${id}). General Information > Application ID has the value of DISCORD_APPLICATION_ID, and Bot > Reset Token that of DISCORD_BOT_TOKEN.`,
      ),
    ];
  }
  return [
    ok(`Application ${name} (${id})`),
    ok(`The token of the bot ${bot?.username ?? ''} is accepted`),
    messageContent(application, config),
    interactions(application),
    codeGrant(application),
    ...installation(application),
    redirect(application, config),
  ];
}

function currentApplication({ apiUrl, botToken }: CheckConfig): Answer<CurrentApplication> {
  return requestDiscord(`${apiUrl}/applications/@me`, { headers: { authorization: `Bot ${botToken}` } });
}

function messageContent({ flags = 0 }: Partial<CurrentApplication>, { readsMessages }: CheckConfig): Finding {
  if ((flags & MESSAGE_CONTENT) !== 0) return ok('Message Content Intent is on');
  if (!readsMessages) return ok('Message Content Intent is off, which PREFIX_COMMANDS=off does not need');
  return wrong(
    'Message Content Intent is off, so Discord refuses the bot. Bot > Message Content Intent: switch it on. Or set PREFIX_COMMANDS=off.',
  );
}

function interactions({ interactions_endpoint_url: url }: Partial<CurrentApplication>): Finding {
  if (!url) return ok('Commands are sent to the bot');
  return wrong(
    `Commands are sent to ${url}, and not to the bot. General Information > Interactions Endpoint URL: clear it.`,
  );
}

function codeGrant({ bot_require_code_grant: isRequired }: Partial<CurrentApplication>): Finding {
  if (isRequired !== true) return ok('The bot can be invited by its link');
  return wrong('The invitation of the bot fails. Bot > Requires OAuth2 Code Grant: switch it off.');
}

function installation(application: Partial<CurrentApplication>): Finding[] {
  const visibility =
    application.bot_public === false
      ? ok('Public Bot is off: the owner of the application alone can add the bot')
      : ok('Everyone can add the bot to their servers');
  const { integration_types_config: contexts } = application;
  if (contexts === undefined) return [visibility];
  const guild = contexts[GUILD_INSTALL];
  if (guild === undefined) {
    return [
      visibility,
      wrong('The bot cannot be added to servers. Installation > Installation Contexts: tick Guild Install.'),
    ];
  }
  const { scopes = BOT_SCOPES } = guild.oauth2_install_params ?? {};
  const missing = BOT_SCOPES.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0)
    return [visibility, ok('The installation to servers has the scopes bot applications.commands')];
  return [
    visibility,
    wrong(
      `The link of Discord's button Add App lacks ${missing.join(' and ')}. Installation > Default Install Settings > Guild Install: add it to Scopes.`,
    ),
  ];
}

function redirect({ redirect_uris: uris = [] }: Partial<CurrentApplication>, { dashboardUrl }: CheckConfig): Finding {
  if (dashboardUrl === undefined) return notChecked('DASHBOARD_URL is not set: the redirect of the dashboard.');
  const expected = `${dashboardUrl}/callback`;
  if (uris.includes(expected)) return ok(`The redirect ${expected} is registered`);
  const registered = uris.length === 0 ? 'none is' : `registered are ${uris.join(', ')}`;
  return wrong(`The redirect ${expected} is not registered, ${registered}. OAuth2 > Redirects: add it, and save.`);
}
