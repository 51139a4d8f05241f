import { writeFileSync } from 'node:fs';
import { type NewApplication, type NewBot, startDiscordSim } from '@guild-settings/discord-sim';
import { temporaryFolder, unreachableUrl } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { runSandbox } from '../testing/sandbox-process.ts';
import { checkDiscord, readCheckConfig } from './check-discord.ts';

const ID = '1100000000000000001';
const OTHER = { id: '1100000000000000002', clientSecret: 'secret-of-another-app', name: 'Another' };
const ENV = {
  DISCORD_APPLICATION_ID: ID,
  DISCORD_CLIENT_SECRET: 'secret-of-the-app',
  DISCORD_BOT_TOKEN: 'secret-of-the-bot',
  DASHBOARD_URL: 'https://settings.example',
};
const CALLBACK = 'https://settings.example/callback';

/** Differences from a correctly configured application. */
interface Case {
  readonly application?: Partial<NewApplication>;
  readonly bot?: Partial<NewBot>;
  readonly env?: NodeJS.ProcessEnv;
}

async function startDiscord({ application, bot }: Case) {
  const discord = await startDiscordSim();
  const { DISCORD_CLIENT_SECRET: clientSecret, DISCORD_BOT_TOKEN: token } = ENV;
  discord.world.addApplication({ id: ID, clientSecret, name: 'Melody', redirectUris: [CALLBACK], ...application });
  discord.world.addBot({ applicationId: ID, token, username: 'melody', ...bot });
  discord.world.addApplication(OTHER);
  discord.world.addBot({ applicationId: OTHER.id, token: 'secret-of-another-bot' });
  return discord;
}

async function reportOf(given: Case): Promise<string> {
  await using discord = await startDiscord(given);
  const { isRight, text } = await checkDiscord(
    readCheckConfig({ ...ENV, DISCORD_API_URL: discord.apiUrl, ...given.env }),
  );
  expect(text).not.toMatch(/secret-of/);
  expect(isRight).toBe(!text.includes('wrong'));
  return text;
}

async function wrongLines(given: Case): Promise<string[]> {
  const report = await reportOf(given);
  expect(report.endsWith(`\nDeveloper Portal: https://discord.com/developers/applications/${ID}`)).toBe(true);
  return report
    .split('\n')
    .filter((line) => line.startsWith('wrong'))
    .map((line) => line.slice('wrong'.length).trim());
}

test('an application that is as it should be is right line by line', async () => {
  expect((await reportOf({})).split('\n')).toStrictEqual([
    `ok          Application Melody (${ID})`,
    'ok          The token of the bot melody is accepted',
    'ok          Message Content Intent is on',
    'ok          Commands are sent to the bot',
    'ok          The bot can be invited by its link',
    'ok          Everyone can add the bot to their servers',
    'ok          The installation to servers has the scopes bot applications.commands',
    `ok          The redirect ${CALLBACK} is registered`,
    'ok          The client secret is accepted',
    "ok          The application's own token has the scope applications.commands.update, which the api needs",
  ]);
});

test.each<[string, Case, RegExp]>([
  ['a wrong token of the bot', { env: { DISCORD_BOT_TOKEN: 'secret-of-no-bot' } }, /not accepted\. Bot > Reset Token/],
  [
    'the token of another bot',
    { env: { DISCORD_BOT_TOKEN: 'secret-of-another-bot' } },
    /belongs to another application, Another \(1100000000000000002\)\. General Information > Application ID/,
  ],
  ['no Message Content Intent', { bot: { privilegedIntents: 0 } }, /Bot > Message Content Intent: switch it on/],
  [
    'an endpoint of interactions',
    { application: { portal: { interactions_endpoint_url: 'https://old.example' } } },
    /sent to https:\/\/old\.example instead .* Interactions Endpoint URL: clear it/,
  ],
  [
    'a required code grant',
    { application: { portal: { bot_require_code_grant: true } } },
    /Bot > Requires OAuth2 Code Grant: switch it off/,
  ],
  [
    'no installation to servers',
    { application: { portal: { integration_types_config: { 1: {} } } } },
    /Installation > Installation Contexts: tick Guild Install/,
  ],
  [
    'an installation without the bot',
    {
      application: {
        portal: {
          integration_types_config: {
            0: { oauth2_install_params: { scopes: ['applications.commands'], permissions: '0' } },
          },
        },
      },
    },
    /lacks bot\. Installation > Default Install Settings > Guild Install/,
  ],
  [
    'another redirect',
    { application: { redirectUris: ['http://localhost/callback'] } },
    /settings\.example\/callback is not registered, registered are http:\/\/localhost\/callback\. OAuth2 > Redirects/,
  ],
  [
    'a wrong client secret',
    { env: { DISCORD_CLIENT_SECRET: 'secret-of-no-app' } },
    /not accepted\. OAuth2 > Client Secret > Reset Secret/,
  ],
])('%s is one wrong line that says what to click', async (_, given, line) => {
  expect(await wrongLines(given)).toStrictEqual([expect.stringMatching(line)]);
});

test('a bot without prefix commands needs no intent, a private bot is allowed, and no redirect is checked for no dashboard', async () => {
  const report = await reportOf({
    bot: { privilegedIntents: 0 },
    application: { portal: { bot_public: false } },
    env: { PREFIX_COMMANDS: 'off', DASHBOARD_URL: '' },
  });
  expect(report).toContain('ok          Message Content Intent is off, and');
  expect(report).toContain('ok          Public Bot is off');
  expect(report).toContain('not checked DASHBOARD_URL is not set');
});

test('Discord that does not respond is one line with its address', async () => {
  const url = await unreachableUrl();
  const [line, ...more] = await wrongLines({ env: { DISCORD_API_URL: url } });
  expect(line).toMatch(/applications\/@me: .*ECONNREFUSED.*\. Check DISCORD_API_URL/);
  expect(more).toStrictEqual([]);
});

test('the program reads secrets from files, and exits with 0 or 1', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('token'), `${ENV.DISCORD_BOT_TOKEN}\n`);
  const run = async (given: Case) => {
    await using discord = await startDiscord(given);
    const env = {
      ...ENV,
      DISCORD_BOT_TOKEN: '',
      DISCORD_BOT_TOKEN_FILE: folder.file('token'),
      DISCORD_API_URL: discord.apiUrl,
    };
    const program = runSandbox({ program: 'src/check-discord/main.ts', env, folder: folder.path });
    const { code } = await program.exited;
    expect(program.output()).toContain('Application Melody');
    return code;
  };
  expect(await run({})).toBe(0);
  expect(await run({ bot: { privilegedIntents: 0 } })).toBe(1);
});
