import { type DiscordSim, startDiscordSim } from '@guild-settings/discord-sim';

export const APPLICATION_ID = '80351110224678912';
export const CLIENT_SECRET = 'bench-client-secret';
export const BOT_TOKEN = 'bench-bot-token-00000000000001';

/** Access tokens of a user who owns some guilds, and of the application, which may access all guilds. */
export const TOKENS = {
  user: 'bench-person-token-00000000001',
  application: 'bench-application-token-000001',
} as const;

const USER_ID = '53908099506183680';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Starts a simulated Discord with a user who owns these guilds and the application's bot in all of them. */
export async function startDiscord(owned: readonly string[]): Promise<DiscordSim> {
  const discord = await startDiscordSim();
  const { world } = discord;
  world.addUser({ id: USER_ID, username: 'olga' });
  world.addApplication({ id: APPLICATION_ID, clientSecret: CLIENT_SECRET, name: 'Bench', ownerId: USER_ID });
  world.addBot({ applicationId: APPLICATION_ID, token: BOT_TOKEN, userId: APPLICATION_ID, username: 'bench' });
  for (const id of owned) {
    world.addGuild({ id, name: `Guild ${id}`, ownerId: USER_ID });
    world.addBotToGuild(id, { applicationId: APPLICATION_ID });
  }
  const grant = { applicationId: APPLICATION_ID, expiresInSeconds: YEAR_SECONDS };
  world.issueUserToken({ ...grant, token: TOKENS.user, userId: USER_ID, scopes: ['identify', 'guilds'] });
  world.issueClientCredentialsToken({
    ...grant,
    token: TOKENS.application,
    scopes: ['applications.commands.update'],
  });
  return discord;
}
