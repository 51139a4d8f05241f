import { type DiscordSim, startDiscordSim } from '@guild-settings/discord-sim';

export const APPLICATION_ID = '80351110224678912';

/** Access tokens of the first owner of guilds, and of the application, which may access all guilds. */
export const TOKENS = {
  user: ownerToken(0),
  application: 'bench-application-token-000001',
} as const;

export type Caller = 'application' | 'owners';

/** Guilds of an owner: fewer than one page of Discord's list. */
const GUILDS_PER_OWNER = 100;

const FIRST_USER_ID = 53_908_099_506_183_680n;
const YEAR_SECONDS = 365 * 24 * 60 * 60;

export function tokenOf(caller: Caller, guild: number): string {
  return caller === 'application' ? TOKENS.application : ownerToken(Math.floor(guild / GUILDS_PER_OWNER));
}

function ownerToken(owner: number): string {
  return `bench-person-token-${String(owner).padStart(11, '0')}`;
}

/** Starts a simulated Discord with people who own a hundred of these guilds each, and the application's bot in all of them. */
export async function startDiscord(owned: readonly string[]): Promise<DiscordSim> {
  const discord = await startDiscordSim();
  const { world } = discord;
  const grant = { applicationId: APPLICATION_ID, expiresInSeconds: YEAR_SECONDS };
  const users = Array.from({ length: Math.max(1, Math.ceil(owned.length / GUILDS_PER_OWNER)) }, (_, owner) => {
    const id = String(FIRST_USER_ID + BigInt(owner));
    world.addUser({ id, username: `owner-${owner}` });
    return id;
  });
  const [firstUser = ''] = users;
  world.addApplication({ id: APPLICATION_ID, clientSecret: 'bench-client-secret', name: 'Bench', ownerId: firstUser });
  world.addBot({
    applicationId: APPLICATION_ID,
    token: 'bench-bot-token-00000000000001',
    userId: APPLICATION_ID,
    username: 'bench',
  });
  for (const [index, id] of owned.entries()) {
    world.addGuild({ id, name: `Guild ${id}`, ownerId: users[Math.floor(index / GUILDS_PER_OWNER)] ?? '' });
    world.addBotToGuild(id, { applicationId: APPLICATION_ID });
  }
  for (const [owner, userId] of users.entries()) {
    world.issueUserToken({ ...grant, token: ownerToken(owner), userId, scopes: ['identify', 'guilds'] });
  }
  world.issueClientCredentialsToken({
    ...grant,
    token: TOKENS.application,
    scopes: ['applications.commands.update'],
  });
  return discord;
}
