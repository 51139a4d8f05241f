import { type DiscordSim, startDiscordSim } from '@guild-settings/discord-sim';

/** Ids of the world that the tests live in. */
export const IDS = {
  application: '80351110224678912',
  foreignApplication: '80351110224678999',
  /** Managed by owner, admin, manager and otherManager; plain is a member; stranger is not. */
  guild: '197038439483310086',
  /** A second guild of the same people. */
  otherGuild: '197038439483310999',
  /** A guild with nineteen digits. */
  bigGuild: '1197038439483310086',
  owner: '53908099506183680',
  admin: '53908099506183681',
  manager: '53908099506183682',
  otherManager: '53908099506183683',
  plain: '53908099506183684',
  stranger: '53908099506183685',
} as const;

const MANAGE_GUILD = 1n << 5n;
const ADMINISTRATOR = 1n << 3n;
const SEND_MESSAGES = 1n << 11n;
const SCOPES = ['identify', 'guilds'] as const;

/** Access tokens by what they are good for. */
export type Tokens = ReturnType<typeof issueTokens>;

/** Discord on loopback with the people and guilds of the tests. */
export async function startWorld(clock: () => number): Promise<{ discord: DiscordSim; tokens: Tokens }> {
  const discord = await startDiscordSim({ clock });
  const { world } = discord;
  const people = ['owner', 'admin', 'manager', 'otherManager', 'plain', 'stranger'] as const;
  for (const name of people) world.addUser({ id: IDS[name], username: name });
  world.addApplication({
    id: IDS.application,
    clientSecret: 'application-secret',
    name: 'Settings of guilds',
    icon: '0123456789abcdef0123456789abcdef',
    ownerId: IDS.owner,
  });
  world.addApplication({ id: IDS.foreignApplication, clientSecret: 'foreign-secret', ownerId: IDS.stranger });
  const guilds = [
    { id: IDS.guild, name: 'Discord Testers', icon: 'f64c482b807da4f539cff778d174971c' },
    { id: IDS.otherGuild, name: 'Another guild', icon: null },
    { id: IDS.bigGuild, name: 'Nineteen digits', icon: null },
  ];
  for (const guild of guilds) {
    world.addGuild({ ...guild, ownerId: IDS.owner });
    world.addMember(guild.id, IDS.admin, { permissions: ADMINISTRATOR });
    world.addMember(guild.id, IDS.manager, { permissions: MANAGE_GUILD | SEND_MESSAGES });
    world.addMember(guild.id, IDS.otherManager, { permissions: MANAGE_GUILD });
    world.addMember(guild.id, IDS.plain, { permissions: SEND_MESSAGES });
  }
  return { discord, tokens: issueTokens(discord) };
}

function issueTokens({ world }: DiscordSim) {
  const applicationId = IDS.application;
  const user = (userId: string, more: object = {}) =>
    world.issueUserToken({ userId, applicationId, scopes: SCOPES, ...more }).accessToken;
  const client = (scopes: Parameters<typeof world.issueClientCredentialsToken>[0]['scopes']) =>
    world.issueClientCredentialsToken({ applicationId, scopes }).accessToken;
  return {
    owner: user(IDS.owner),
    admin: user(IDS.admin),
    manager: user(IDS.manager),
    otherManager: user(IDS.otherManager),
    plain: user(IDS.plain),
    stranger: user(IDS.stranger),
    application: client(['applications.commands.update']),
    expired: user(IDS.manager, { expiresInSeconds: -1 }),
    foreign: user(IDS.manager, { applicationId: IDS.foreignApplication }),
    withoutGuilds: user(IDS.manager, { scopes: ['identify'] }),
    withoutIdentify: user(IDS.manager, { scopes: ['guilds'] }),
    /** Looks like a token, and is none. */
    unknown: 'u'.repeat(30),
  };
}
