import type { DiscordSim } from '@guild-settings/discord-sim';
import {
  ADMINISTRATOR,
  APPLICATION,
  FOREIGN_APPLICATION,
  GUILDS,
  MANAGE_GUILD,
  PEOPLE,
  startWorld as startSharedWorld,
  tokenOf,
} from '@guild-settings/discord-sim/testing/world';

/**
 * The guilds that the owner, both managers and the administrator manage. The id of the third one has nineteen digits.
 */
const MANAGED = GUILDS.filter(({ managed }) => managed).sort((one, other) => Number(BigInt(one.id) - BigInt(other.id)));
const [guild = '', otherGuild = '', bigGuild = ''] = MANAGED.map(({ id }) => id);

export const IDS = {
  application: APPLICATION.id,
  foreignApplication: FOREIGN_APPLICATION.id,
  guild,
  otherGuild,
  bigGuild,
  owner: PEOPLE.owner.id,
  admin: '53908099506183684',
  manager: PEOPLE.manager.id,
  otherManager: '53908099506183685',
  /** A member of the guilds. */
  plain: PEOPLE.member.id,
  stranger: PEOPLE.stranger.id,
} as const;

export const PAGE_ORIGIN = 'https://settings.example';

const redirectUris = [`${PAGE_ORIGIN}/callback`, 'http://127.0.0.1:3000/callback'];

/** The icon of the application. */
export const ICON = '0123456789abcdef0123456789abcdef';

/** Access tokens by purpose. */
export type Tokens = ReturnType<typeof tokensOf>;

/** Discord with the people of all tests, an administrator and another manager. The guilds have no bot. */
export async function startWorld(clock: () => number): Promise<{ discord: DiscordSim; tokens: Tokens }> {
  const discord = await startSharedWorld({ clock, guilds: MANAGED, hasBot: false });
  const { world } = discord;
  world.addApplication({ ...APPLICATION, icon: ICON, ownerId: IDS.owner, redirectUris });
  for (const [name, permissions] of [
    ['admin', ADMINISTRATOR],
    ['otherManager', MANAGE_GUILD],
  ] as const) {
    world.addUser({ id: IDS[name], username: name });
    for (const { id } of MANAGED) world.addMember(id, IDS[name], { permissions });
  }
  return { discord, tokens: tokensOf(discord) };
}

function tokensOf({ world }: DiscordSim) {
  const user = (userId: string, scopes: readonly ('identify' | 'guilds')[] = ['identify', 'guilds']) =>
    world.issueUserToken({ userId, applicationId: IDS.application, scopes }).accessToken;
  return {
    owner: tokenOf('owner'),
    admin: user(IDS.admin),
    manager: tokenOf('manager'),
    otherManager: user(IDS.otherManager),
    plain: tokenOf('member'),
    stranger: tokenOf('stranger'),
    application: tokenOf('application'),
    expired: tokenOf('expired'),
    foreign: tokenOf('foreign'),
    withoutGuilds: user(IDS.manager, ['identify']),
    withoutIdentify: user(IDS.manager, ['guilds']),
    /** Looks like a token, but is not one. */
    unknown: 'u'.repeat(30),
  };
}
