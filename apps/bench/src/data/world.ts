import { type DiscordSim, startDiscordSim } from '@guild-settings/discord-sim';

export const APPLICATION_ID = '80351110224678912';
export const CLIENT_SECRET = 'bench-client-secret';
export const BOT_TOKEN = 'bench-bot-token-00000000000001';

/** Access tokens: a person who owns some guilds, and the application, which may use all of them. */
export const TOKENS = {
  person: 'bench-person-token-00000000001',
  application: 'bench-application-token-000001',
} as const;

const PERSON = '53908099506183680';
const A_YEAR = 365 * 24 * 60 * 60;

/** A simulated Discord with a person who owns these guilds, and the application's bot in all of them. */
export async function startDiscord(owned: readonly string[]): Promise<DiscordSim> {
  const discord = await startDiscordSim();
  const { world } = discord;
  world.addUser({ id: PERSON, username: 'olga' });
  world.addApplication({ id: APPLICATION_ID, clientSecret: CLIENT_SECRET, name: 'Bench', ownerId: PERSON });
  world.addBot({ applicationId: APPLICATION_ID, token: BOT_TOKEN, userId: APPLICATION_ID, username: 'bench' });
  for (const id of owned) {
    world.addGuild({ id, name: `Guild ${id}`, ownerId: PERSON });
    world.addBotToGuild(id, { applicationId: APPLICATION_ID });
  }
  const grant = { applicationId: APPLICATION_ID, expiresInSeconds: A_YEAR };
  world.issueUserToken({ ...grant, token: TOKENS.person, userId: PERSON, scopes: ['identify', 'guilds'] });
  world.issueClientCredentialsToken({
    ...grant,
    token: TOKENS.application,
    scopes: ['applications.commands.update'],
  });
  return discord;
}
