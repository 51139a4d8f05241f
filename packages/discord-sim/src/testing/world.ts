import { type DiscordSim, type DiscordSimOptions, startDiscordSim } from '../sim.ts';
import type { World } from '../world/world.ts';

export const APPLICATION = {
  id: '80351110224678912',
  clientSecret: 'sandbox-client-secret',
  name: 'Melody',
} as const;

export const BOT = {
  token: 'sandbox-bot-token-000000000001',
  userId: APPLICATION.id,
} as const;

export const FOREIGN_APPLICATION = {
  id: '80351110224678999',
  clientSecret: 'foreign-client-secret',
  name: 'Another',
} as const;

/** The users. The chat page opens as the first one. */
export const PEOPLE = {
  manager: { id: '53908099506183681', username: 'mika', globalName: 'Mika' },
  owner: { id: '53908099506183680', username: 'olga', globalName: 'Ольга' },
  member: { id: '53908099506183682', username: 'ravi', globalName: 'रवि' },
  stranger: { id: '53908099506183683', username: 'sofia', globalName: 'Sofía' },
} as const;

/** A guild. The owner owns all guilds; the manager and the member are in all of them. */
export interface SandboxGuild {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  /** True: the manager has Manage Guild. */
  readonly managed: boolean;
  /** Ids of the channels. The bot may not write in `rules`; `staff`, in the category `team`, is hidden from the manager. */
  readonly channels: Readonly<Record<'general' | 'announcements' | 'rules' | 'team' | 'staff' | 'lounge', string>>;
}

export const GUILDS: readonly [SandboxGuild, ...SandboxGuild[]] = [
  guildOf('197038439483310086', 'Discord Testers', 197038439483310101n, { icon: 'f64c482b807da4f539cff778d174971c' }),
  guildOf('1197038439483310086', 'हिंदी गेमर्स', 1197038439483310101n),
  guildOf('613425648685547541', '東京カフェ', 613425648685547601n),
  guildOf('41771983423143937', 'Peña del Café', 41771983423144001n, { managed: false }),
];

function guildOf(id: string, name: string, firstChannel: bigint, other: Partial<SandboxGuild> = {}): SandboxGuild {
  return { id, name, icon: null, managed: true, channels: channelsFrom(firstChannel), ...other };
}

function channelsFrom(first: bigint): SandboxGuild['channels'] {
  const names = ['general', 'announcements', 'rules', 'team', 'staff', 'lounge'];
  return Object.fromEntries(
    names.map((name, index) => [name, String(first + BigInt(index))]),
  ) as SandboxGuild['channels'];
}

export type Role = 'manager' | 'owner' | 'member' | 'stranger' | 'application' | 'expired' | 'foreign';

export interface SandboxToken {
  readonly role: Role;
  readonly token: string;
  readonly may: string;
}

export const TOKENS: readonly SandboxToken[] = [
  { role: 'manager', token: 'sandbox-manager-token-00000001', may: 'read and change every guild but the last' },
  { role: 'owner', token: 'sandbox-owner-token-0000000001', may: 'read and change every guild' },
  { role: 'member', token: 'sandbox-member-token-000000001', may: 'nothing: no Manage Guild (403)' },
  { role: 'stranger', token: 'sandbox-stranger-token-0000001', may: 'nothing: in no guild (403)' },
  { role: 'application', token: 'sandbox-application-token-0001', may: 'everything, for X-On-Behalf-Of: <user id>' },
  { role: 'expired', token: 'sandbox-expired-token-00000001', may: 'nothing: the token has expired (401)' },
  { role: 'foreign', token: 'sandbox-foreign-token-00000001', may: "nothing: another application's token (401)" },
];

export function tokenOf(role: Role): string {
  return TOKENS.find((token) => token.role === role)?.token ?? '';
}

export const ADMINISTRATOR = 1n << 3n;
export const MANAGE_GUILD = 1n << 5n;
export const VIEW_CHANNEL = 1n << 10n;
export const SEND_MESSAGES = 1n << 11n;
const MANAGE_ROLES = 1n << 28n;

/** The roles of each guild that members can share, lowest first. The bot has the last but one. */
const SHARED_ROLES = [
  { name: 'EU' },
  { name: 'Member', color: 0x2ecc71 },
  { name: 'Moderators', color: 0x3498db },
  { name: 'Server Booster', color: 0xf47fff, managed: true },
  { name: 'Bots', permissions: MANAGE_ROLES },
  { name: 'Admin', color: 0xe74c3c },
] as const;

/** Lifetime of the tokens: longer than any test advances the clock. */
const CENTURY_SECONDS = 100 * 365 * 24 * 60 * 60;

interface FillOptions {
  /** The addresses to which the application may be returned after a login; none unless given. */
  readonly redirectUris?: readonly string[];
  /** All of `GUILDS` unless given. */
  readonly guilds?: readonly SandboxGuild[];
  /** True: the application has its bot, which is in each guild. True unless given. */
  readonly hasBot?: boolean;
}

export function fillWorld(world: World, { redirectUris = [], guilds = GUILDS, hasBot = true }: FillOptions = {}): void {
  for (const person of Object.values(PEOPLE)) world.addUser(person);
  world.addApplication({ ...APPLICATION, redirectUris, ownerId: PEOPLE.owner.id });
  world.addApplication({ ...FOREIGN_APPLICATION, ownerId: PEOPLE.stranger.id });
  if (hasBot) world.addBot({ applicationId: APPLICATION.id, ...BOT });
  for (const { id, name, icon, managed, channels } of guilds) {
    world.addGuild({ id, name, icon, ownerId: PEOPLE.owner.id });
    if (hasBot) {
      addChannels(world, id, channels);
      world.addBotToGuild(id, { applicationId: APPLICATION.id });
      addRoles(world, id, channels);
    }
    const permissions = managed ? SEND_MESSAGES | MANAGE_GUILD : SEND_MESSAGES;
    world.addMember(id, PEOPLE.manager.id, { permissions });
    world.addMember(id, PEOPLE.member.id, { permissions: SEND_MESSAGES });
  }
  for (const { role, token } of TOKENS) issue(world, role, token);
}

export async function startWorld(options: DiscordSimOptions & FillOptions = {}): Promise<DiscordSim> {
  const discord = await startDiscordSim(options);
  fillWorld(discord.world, options);
  return discord;
}

function addChannels(
  world: World,
  guildId: string,
  { general, announcements, rules, team, staff, lounge }: SandboxGuild['channels'],
) {
  const ofTeam = { '@everyone': { deny: VIEW_CHANNEL }, [BOT.userId]: { allow: VIEW_CHANNEL | SEND_MESSAGES } };
  world.addChannel({ id: general, guildId, name: 'general' });
  world.addChannel({ id: announcements, guildId, name: 'announcements', type: 'announcement', position: 1 });
  const readOnly = { [BOT.userId]: { deny: SEND_MESSAGES } };
  world.addChannel({ id: rules, guildId, name: 'rules', position: 2, permissions: readOnly });
  world.addChannel({ id: team, guildId, name: 'Team', type: 'category', position: 3, permissions: ofTeam });
  world.addChannel({ id: lounge, guildId, name: 'lounge', type: 'voice' });
  world.addChannel({ id: staff, guildId, name: 'staff', position: 4, parentId: team, permissions: ofTeam });
}

/** Adds the shared roles, with ids after those of the channels. */
function addRoles(world: World, guildId: string, { general }: SandboxGuild['channels']): void {
  for (const [index, role] of SHARED_ROLES.entries()) {
    const id = String(BigInt(general) + 100n + BigInt(index));
    world.addRole({ guildId, id, ...role });
    if (role.name === 'Bots') world.setMemberRoles(guildId, BOT.userId, [id]);
  }
}

function issue(world: World, role: Role, token: string): void {
  // A logout from a dashboard revokes all tokens of the consent, but not these.
  const consent = { token, applicationId: APPLICATION.id, expiresInSeconds: CENTURY_SECONDS, isStandalone: true };
  const user = { ...consent, scopes: ['identify', 'guilds'] } as const;
  switch (role) {
    case 'application':
      world.issueClientCredentialsToken({ ...consent, scopes: ['applications.commands.update'] });
      return;
    case 'expired':
      world.issueUserToken({ ...user, userId: PEOPLE.manager.id, expiresInSeconds: -1 });
      return;
    case 'foreign':
      world.issueUserToken({ ...user, userId: PEOPLE.manager.id, applicationId: FOREIGN_APPLICATION.id });
      return;
    default:
      world.issueUserToken({ ...user, userId: PEOPLE[role].id });
  }
}
