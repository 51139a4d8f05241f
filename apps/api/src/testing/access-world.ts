import type { AccessEntry, GuildAccessList } from '@guild-settings/contract';
import type { DiscordSim } from '@guild-settings/discord-sim';
import type { AppOptions } from '../app.ts';
import { startApi, type TestApi } from './api-resource.ts';
import { IDS } from './people.ts';

/** Roles of the guild of the tests. */
export const ROLES = { editors: '197038439483310901', viewers: '197038439483310902' } as const;

/** People beside those of all tests: two have a role, and two are on the list themselves. All are members. */
export const LET_IN = {
  editorByRole: '53908099506184001',
  editorByUser: '53908099506184002',
  viewerByRole: '53908099506184003',
  viewerByUser: '53908099506184004',
} as const;

/** The bot's token of services that look roles up. */
export const BOT_TOKEN = 'bot-token-of-the-tests-000000001';

/** The list that lets all of them in. */
export const LIST: AccessEntry[] = [
  { subject: `role:${ROLES.editors}`, level: 'editor' },
  { subject: `user:${LET_IN.editorByUser}`, level: 'editor' },
  { subject: `role:${ROLES.viewers}`, level: 'viewer' },
  { subject: `user:${LET_IN.viewerByUser}`, level: 'viewer' },
];

/** The source of people's roles: the bot's token, a scope of their tokens, or none. */
export type RoleSource = 'bot' | 'scope' | 'none';

/** A service whose guild has people that an access list can let in. */
export interface AccessWorld extends AsyncDisposable {
  readonly api: TestApi;
  readonly tokens: Readonly<Record<keyof typeof LET_IN | 'manager', string>>;
  /** Replaces the access list, as the manager unless another token is given. */
  setAccess(
    entries: GuildAccessList['entries'],
    sent?: { token?: string; headers?: Readonly<Record<string, string>> },
  ): Promise<Response>;
}

/** Starts a service. Its access list is empty. */
export async function startAccess(
  source: RoleSource = 'bot',
  env: NodeJS.ProcessEnv = {},
  options?: AppOptions,
): Promise<AccessWorld> {
  const api = await startApi({ ...(source === 'bot' && { DISCORD_BOT_TOKEN: BOT_TOKEN }), ...env }, options);
  const tokens = populate(api.discord, source);
  return {
    api,
    tokens,
    setAccess: (entries, { token = tokens.manager, headers = {} } = {}) =>
      api.send(`/guilds/${IDS.guild}/access`, { method: 'PUT', token, headers, body: { entries } }),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

function populate({ world }: DiscordSim, source: RoleSource): AccessWorld['tokens'] {
  world.addBot({ applicationId: IDS.application, token: BOT_TOKEN });
  world.addBotToGuild(IDS.guild);
  for (const [name, id] of Object.entries(ROLES)) world.addRole({ guildId: IDS.guild, id, name });
  const scopes = ['identify', 'guilds', ...(source === 'scope' ? (['guilds.members.read'] as const) : [])] as const;
  for (const [name, userId] of Object.entries(LET_IN)) {
    world.addUser({ id: userId, username: name.toLowerCase() });
    for (const guild of [IDS.guild, IDS.otherGuild]) world.addMember(guild, userId, { permissions: 0n });
  }
  world.setMemberRoles(IDS.guild, LET_IN.editorByRole, [ROLES.editors]);
  world.setMemberRoles(IDS.guild, LET_IN.viewerByRole, [ROLES.viewers]);
  const tokens = Object.entries({ ...LET_IN, manager: IDS.manager }).map(([name, userId]) => [
    name,
    world.issueUserToken({ userId, applicationId: IDS.application, scopes }).accessToken,
  ]);
  return Object.fromEntries(tokens);
}
