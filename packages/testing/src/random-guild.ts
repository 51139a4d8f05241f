import fc from 'fast-check';
import { ChannelType, OverwriteType, PermissionFlagsBits } from 'discord.js';

/** A guild in the form of Discord's REST API, with one member of interest. */
export interface RandomGuild {
  readonly guild: { readonly id: string; readonly owner_id: string; readonly roles: readonly RandomRole[] };
  readonly channels: readonly RandomChannel[];
  /** The bot and a caller. */
  readonly members: readonly [RandomMember, RandomMember];
}

interface RandomRole {
  readonly id: string;
  readonly name: string;
  readonly position: number;
  readonly managed: boolean;
  readonly permissions: string;
}

interface RandomChannel {
  readonly id: string;
  readonly type: number;
  readonly name: string;
  readonly position: number;
  readonly parent_id: string | null;
  /** Of voice and stage channels alone: by it, discord.js recognizes them. */
  readonly bitrate?: number;
  readonly permission_overwrites: readonly {
    readonly id: string;
    readonly type: OverwriteType;
    readonly allow: string;
    readonly deny: string;
  }[];
}

interface RandomMember {
  readonly user: { readonly id: string; readonly username: string };
  readonly roles: readonly string[];
  readonly joined_at: string;
  readonly communication_disabled_until: string | null;
}

const GUILD = '197038439483310000';
export const BOT = '80351110224670000';
export const CALLER = '80351110224670001';
const STRANGER = '80351110224670002';
const ROLES = Array.from({ length: 5 }, (_, index) => `19703843948331001${index}`);
const CATEGORIES = ['197038439483310100', '197038439483310101'];

/** Permissions that decide much are frequent; all others are rare. */
const flag = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<keyof typeof PermissionFlagsBits>('ViewChannel', 'SendMessages', 'Connect') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(...(Object.keys(PermissionFlagsBits) as (keyof typeof PermissionFlagsBits)[])),
  },
);
const bits = fc
  .array(flag, { maxLength: 4 })
  .map((names) => String(names.reduce((all, name) => all | PermissionFlagsBits[name], 0n)));

const overwrites = fc
  .uniqueArray(fc.constantFrom(GUILD, ...ROLES, BOT, CALLER, STRANGER), { maxLength: 6 })
  .chain((ids) =>
    fc.tuple(...ids.map((id) => fc.record({ allow: bits, deny: bits }).map((one) => ({ id, ...one })))).map((all) =>
      all.map((one) => {
        const isMember = [BOT, CALLER, STRANGER].includes(one.id);
        return { ...one, type: isMember ? OverwriteType.Member : OverwriteType.Role };
      }),
    ),
  );

const channelType = fc.constantFrom(
  ChannelType.GuildText,
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildVoice,
  ChannelType.GuildStageVoice,
  ChannelType.GuildForum,
  ChannelType.GuildMedia,
);

const position = fc.integer({ min: 0, max: 3 });

const channels = fc
  .tuple(
    fc.array(
      fc.record({ type: channelType, position, parent: fc.option(fc.constantFrom(...CATEGORIES)), overwrites }),
      {
        maxLength: 4,
      },
    ),
    fc.array(fc.record({ position, overwrites }), { minLength: 2, maxLength: 2 }),
  )
  .map(([others, categories]): RandomChannel[] => [
    ...others.map(({ type, position, parent, overwrites: permission_overwrites }, index) => {
      const id = `19703843948331020${index}`;
      const isVoice = type === ChannelType.GuildVoice || type === ChannelType.GuildStageVoice;
      const bitrate = isVoice ? { bitrate: 64_000 } : {};
      return { id, type, name: `c${index}`, position, parent_id: parent, permission_overwrites, ...bitrate };
    }),
    ...categories.map(({ position, overwrites: permission_overwrites }, index) => {
      const id = CATEGORIES[index] ?? '';
      return { id, type: ChannelType.GuildCategory, name: id, position, parent_id: null, permission_overwrites };
    }),
  ]);

const member = (id: string) =>
  fc
    .record({
      roles: fc.uniqueArray(fc.constantFrom(...ROLES), { maxLength: 4 }),
      timeout: fc.constantFrom(null, null, null, '2001-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'),
    })
    .map(
      ({ roles, timeout }): RandomMember => ({
        user: { id, username: id },
        roles,
        joined_at: '2020-01-01T00:00:00.000Z',
        communication_disabled_until: timeout,
      }),
    );

/** Random guilds, in the form of Discord's REST API. */
export const randomGuild: fc.Arbitrary<RandomGuild> = fc
  .record({
    ownerId: fc.constantFrom(STRANGER, STRANGER, STRANGER, BOT, CALLER),
    permissions: fc.array(bits, { minLength: ROLES.length + 1, maxLength: ROLES.length + 1 }),
    channels,
    members: fc.tuple(member(BOT), member(CALLER)),
  })
  .map(({ ownerId, permissions, channels, members }) => ({
    guild: {
      id: GUILD,
      owner_id: ownerId,
      roles: [GUILD, ...ROLES].map((id, index) => {
        return { id, name: id, position: index, managed: false, permissions: permissions[index] ?? '0' };
      }),
    },
    channels,
    members,
  }));
