import { API_VARIABLES } from '@guild-settings/api';
import { BOT_VARIABLES } from '@guild-settings/bot';
import { readEnvironment } from '@guild-settings/runtime/environment';

/** The Discord-related variables of the programs. */
const VARIABLES = {
  DISCORD_APPLICATION_ID: BOT_VARIABLES.DISCORD_APPLICATION_ID,
  DISCORD_CLIENT_SECRET: BOT_VARIABLES.DISCORD_CLIENT_SECRET,
  DISCORD_BOT_TOKEN: BOT_VARIABLES.DISCORD_BOT_TOKEN,
  PREFIX_COMMANDS: BOT_VARIABLES.PREFIX_COMMANDS,
  DASHBOARD_URL: API_VARIABLES.DASHBOARD_URL,
  DISCORD_API_URL: BOT_VARIABLES.DISCORD_API_URL,
};

type CheckConfig = ReturnType<typeof readCheckConfig>;

/** @throws EnvironmentError listing every invalid variable, without secrets */
export function readCheckConfig(env: NodeJS.ProcessEnv = process.env) {
  return readEnvironment(env, { variables: VARIABLES });
}

interface Finding {
  readonly kind: 'ok' | 'wrong' | 'not checked';
  /** The state, and for a fault its remedy. */
  readonly text: string;
}

const ok = (text: string): Finding => ({ kind: 'ok', text });
const wrong = (text: string): Finding => ({ kind: 'wrong', text });
const notChecked = (text: string): Finding => ({ kind: 'not checked', text });

/**
 * Compares the configuration with the application in Discord's developer portal.
 * @returns a text with a line for each finding, without secrets
 */
export async function checkDiscord(config: CheckConfig): Promise<{ readonly isRight: boolean; readonly text: string }> {
  const findings: Finding[] = [];
  try {
    findings.push(...(await checkApplication(config)), ...(await checkOwnToken(config)));
  } catch (error) {
    if (!(error instanceof DiscordUnavailableError)) throw error;
    findings.push(wrong(error.message));
  }
  const lines = findings.map(({ kind, text }) => `${kind.padEnd(11)} ${text}`);
  const isRight = findings.every(({ kind }) => kind !== 'wrong');
  const portal = `Developer Portal: https://discord.com/developers/applications/${config.DISCORD_APPLICATION_ID}`;
  return { isRight, text: [...lines, ...(isRight ? [] : [portal])].join('\n') };
}

interface InstallParams {
  readonly scopes: readonly string[];
  readonly permissions: string;
}

/**
 * The application as sent by Discord to its bot.
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

/** Checks the bot token, and with it the application and its bot. */
async function checkApplication(config: CheckConfig): Promise<Finding[]> {
  const application = await requestDiscord<CurrentApplication>(`${config.DISCORD_API_URL}/applications/@me`, {
    headers: { authorization: `Bot ${config.DISCORD_BOT_TOKEN}` },
  });
  if (application === undefined) {
    return [
      wrong('The bot token is not accepted. Bot > Reset Token: set DISCORD_BOT_TOKEN to the new one.'),
      notChecked('Without the token: the bot, its intents, the redirect and the installation.'),
    ];
  }
  const { id, name = '', bot } = application;
  if (id !== config.DISCORD_APPLICATION_ID) {
    return [
      wrong(
        `The bot token belongs to another application, ${name} (${id}). General Information > Application ID has the value of DISCORD_APPLICATION_ID, and Bot > Reset Token that of DISCORD_BOT_TOKEN.`,
      ),
    ];
  }
  return [
    ok(`Application ${name} (${id})`),
    ok(`The token of the bot ${bot?.username ?? ''} is accepted`),
    messageContent(application, config),
    interactions(application),
    codeGrant(application),
    application.bot_public === false
      ? ok('Public Bot is off: only the owner of the application can add the bot')
      : ok('Everyone can add the bot to their servers'),
    ...installation(application),
    redirect(application, config),
  ];
}

/** Flags of the Message Content Intent: of a verified application, and of one in fewer than 100 servers. */
const MESSAGE_CONTENT = (1 << 18) | (1 << 19);

function messageContent({ flags = 0 }: Partial<CurrentApplication>, { PREFIX_COMMANDS }: CheckConfig): Finding {
  if ((flags & MESSAGE_CONTENT) !== 0) return ok('Message Content Intent is on');
  if (PREFIX_COMMANDS === 'off') return ok('Message Content Intent is off, and not needed with PREFIX_COMMANDS=off');
  return wrong(
    'Message Content Intent is off, so Discord refuses the bot. Bot > Message Content Intent: switch it on. Or set PREFIX_COMMANDS=off.',
  );
}

function interactions({ interactions_endpoint_url: url }: Partial<CurrentApplication>): Finding {
  if (!url) return ok('Commands are sent to the bot');
  return wrong(
    `Commands are sent to ${url} instead of to the bot. General Information > Interactions Endpoint URL: clear it.`,
  );
}

function codeGrant({ bot_require_code_grant: isRequired }: Partial<CurrentApplication>): Finding {
  if (isRequired !== true) return ok('The bot can be invited by its link');
  return wrong('The invitation of the bot fails. Bot > Requires OAuth2 Code Grant: switch it off.');
}

/** The key of the guild installation in `integration_types_config`. */
const GUILD_INSTALL = '0';

const BOT_SCOPES = ['bot', 'applications.commands'];

function installation({ integration_types_config: contexts }: Partial<CurrentApplication>): Finding[] {
  if (contexts === undefined) return [];
  const guild = contexts[GUILD_INSTALL];
  if (guild === undefined) {
    return [wrong('The bot cannot be added to servers. Installation > Installation Contexts: tick Guild Install.')];
  }
  const { scopes = BOT_SCOPES } = guild.oauth2_install_params ?? {};
  const missing = BOT_SCOPES.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return [ok('The installation to servers has the scopes bot applications.commands')];
  return [
    wrong(
      `The link of Discord's button Add App lacks ${missing.join(' and ')}. Installation > Default Install Settings > Guild Install: add it to Scopes.`,
    ),
  ];
}

function redirect({ redirect_uris: uris = [] }: Partial<CurrentApplication>, { DASHBOARD_URL }: CheckConfig): Finding {
  if (DASHBOARD_URL === undefined) return notChecked('DASHBOARD_URL is not set: the redirect of the dashboard.');
  const expected = `${DASHBOARD_URL}/callback`;
  if (uris.includes(expected)) return ok(`The redirect ${expected} is registered`);
  const registered = uris.length === 0 ? 'none is' : `registered are ${uris.join(', ')}`;
  return wrong(`The redirect ${expected} is not registered, ${registered}. OAuth2 > Redirects: add it, and save.`);
}

/** The scope by which the api recognises a token of the application. */
const SCOPE = 'applications.commands.update';

interface Authorization {
  readonly application: { readonly id: string };
  readonly scopes: readonly string[];
}

/**
 * Checks the client secret, and the token with which bot and jobs call the api, like the api does.
 * @see https://discord.com/developers/docs/topics/oauth2#client-credentials-grant
 */
async function checkOwnToken(config: CheckConfig): Promise<Finding[]> {
  const { DISCORD_API_URL: apiUrl, DISCORD_APPLICATION_ID: id, DISCORD_CLIENT_SECRET: secret } = config;
  const token = await requestDiscord<{ readonly access_token: string }>(`${apiUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPE }),
  });
  if (token === undefined) {
    return [
      wrong(
        'The client secret is not accepted. OAuth2 > Client Secret > Reset Secret: set DISCORD_CLIENT_SECRET to the new one. General Information > Application ID has the value of DISCORD_APPLICATION_ID.',
      ),
      notChecked("Without the client secret: the application's own token."),
    ];
  }
  const authorization = await requestDiscord<Authorization>(`${apiUrl}/oauth2/@me`, {
    headers: { authorization: `Bearer ${token.access_token}` },
  });
  const { application, scopes = [] } = authorization ?? {};
  const isRight = application?.id === id && scopes.includes(SCOPE);
  return [
    ok('The client secret is accepted'),
    isRight
      ? ok(`The application's own token has the scope ${SCOPE}, which the api needs`)
      : wrong(
          `The application's own token is for ${application?.id ?? 'no application'} with the scopes ${scopes.join(' ') || 'none'}; the api needs ${SCOPE}. Check DISCORD_APPLICATION_ID and DISCORD_API_URL.`,
        ),
  ];
}

const TIMEOUT_MS = 10_000;

/** Thrown when Discord does not answer a request. The message contains the remedy. */
class DiscordUnavailableError extends Error {
  override readonly name = 'DiscordUnavailableError';

  constructor(url: string, reason: string) {
    super(`${url}: ${reason.replace(/\.$/, '')}. Check DISCORD_API_URL and the network, or try again later.`);
  }
}

/**
 * Sends a request to Discord.
 * @returns the JSON of the response; undefined: Discord does not accept the credentials
 * @throws DiscordUnavailableError
 */
async function requestDiscord<Body>(url: string, init: RequestInit): Promise<Partial<Body> | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // A secret must not be sent to another address.
  const response = await fetch(url, { ...init, redirect: 'manual', signal }).catch((error: Error) => {
    throw new DiscordUnavailableError(url, error.cause instanceof Error ? error.cause.message : error.message);
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && typeof body === 'object' && body !== null) return body;
  if (response.status === 401) return undefined;
  const location = response.headers.get('location');
  if (location !== null) throw new DiscordUnavailableError(url, `a redirect to ${location}, which is not followed`);
  const limit = response.status === 429 ? ' Discord limits requests: wait, then try again.' : '';
  throw new DiscordUnavailableError(url, `status ${response.status}${response.ok ? ' without JSON' : ''}.${limit}`);
}
