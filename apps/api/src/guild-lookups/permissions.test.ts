import { CHANNEL_PERMISSION_NAMES, type GuildChannel as Listed } from '@guild-settings/contract';
import { printedSeed, repetitions } from '@guild-settings/testing';
import {
  ChannelType,
  Client,
  Guild,
  type GuildChannel,
  type GuildMember,
  OverwriteType,
  PermissionFlagsBits,
  PermissionsBitField,
} from 'discord.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DiscordChannels, DiscordGuild, DiscordMember } from './bot-api.ts';
import { listChannels } from './channels.ts';
import { channelPermissions, overwrittenPermissions, type PermissionMember } from './permissions.ts';

const { ViewChannel, ReadMessageHistory, SendMessages, Connect, Administrator } = PermissionFlagsBits;
const WORLDS = repetitions(600, 100_000);

const client = new Client({ intents: [] });

/** Returns a guild of discord.js with the same data. The constructor is private in TypeScript. */
function guildOf({ guild, channels, members }: RandomGuild): Guild {
  client.channels.cache.clear();
  const data = { ...guild, channels: channels.map((channel) => ({ ...channel, guild_id: guild.id })), members };
  return Reflect.construct(Guild, [client, data]);
}

function viewOf({ guild, channels, members: [bot, caller] }: RandomGuild) {
  const view = {
    guild: DiscordGuild.parse(guild),
    channels: DiscordChannels.parse(channels),
    bot: DiscordMember.parse(bot),
  };
  return { view, caller: DiscordMember.parse(caller) };
}

/** Returns the effective permissions of a member: discord.js omits implicit denials and timeouts. */
function effective(channel: GuildChannel, member: GuildMember): bigint {
  const permissions = channel.permissionsFor(member);
  if (permissions.has(Administrator, false) && permissions.bitfield === PermissionsBitField.All)
    return permissions.bitfield;
  if (!permissions.has(ViewChannel, false)) return 0n;
  return member.isCommunicationDisabled()
    ? permissions.bitfield & (ViewChannel | ReadMessageHistory)
    : permissions.bitfield;
}

function canPost(channel: GuildChannel, permissions: bigint): boolean {
  const wanted = ViewChannel | SendMessages | (channel.isVoiceBased() ? Connect : 0n);
  return channel.isTextBased() && (permissions & wanted) === wanted;
}

/** Permissions by overwrites only, and with implicit denials. */
type Permissions = readonly [raw: bigint, effective: bigint];

interface Verdict {
  readonly bot: Permissions;
  readonly caller: Permissions;
  readonly isListed: boolean;
  readonly botCanPost: boolean;
  readonly botPermissions: string;
}

const HIDDEN: Pick<Listed, 'botCanPost' | 'botPermissions'> = { botCanPost: false, botPermissions: '0' };

function ours(random: RandomGuild, nowMs: number): Verdict[] {
  const { view, caller } = viewOf(random);
  const listed = new Map(listChannels(view, caller, nowMs).map((channel) => [channel.id, channel]));
  return view.channels.map(({ id, overwrites }) => {
    const of = (member: PermissionMember): Permissions => [
      overwrittenPermissions(view.guild, member, overwrites) & PermissionsBitField.All,
      channelPermissions(view.guild, member, { overwrites, nowMs }) & PermissionsBitField.All,
    ];
    const { botCanPost, botPermissions } = listed.get(id) ?? HIDDEN;
    return { bot: of(view.bot), caller: of(caller), isListed: listed.has(id), botCanPost, botPermissions };
  });
}

function theirs(random: RandomGuild): Verdict[] {
  const guild = guildOf(random);
  const [bot, caller] = [guild.members.resolve(BOT), guild.members.resolve(CALLER)] as [GuildMember, GuildMember];
  const channels = random.channels.map(({ id }) => guild.channels.resolve(id) as GuildChannel);
  return channels.map((channel) => {
    const of = (member: GuildMember): Permissions => [
      channel.permissionsFor(member).bitfield,
      effective(channel, member),
    ];
    const family = [channel, ...channels.filter(({ parentId }) => parentId === channel.id)];
    const isListed = family.some((one) => (effective(one, caller) & ViewChannel) !== 0n);
    const [, may] = of(bot);
    const ofListed = {
      botCanPost: canPost(channel, may),
      botPermissions: String(new PermissionsBitField(CHANNEL_PERMISSION_NAMES).bitfield & may),
    };
    return { bot: of(bot), caller: of(caller), isListed, ...(isListed ? ofListed : HIDDEN) };
  });
}

test(`permissions are those of discord.js in ${WORLDS} random guilds`, () => {
  const seen = { listed: 0, hidden: 0, writable: 0, administrators: 0 };
  const property = fc.property(randomGuild, (random) => {
    const found = ours(random, Date.now());
    expect(found).toEqual(theirs(random));
    for (const { caller, isListed, botCanPost } of found) {
      seen[isListed ? 'listed' : 'hidden'] += 1;
      if (botCanPost) seen.writable += 1;
      if (caller[1] === PermissionsBitField.All) seen.administrators += 1;
    }
  });
  fc.assert(property, { numRuns: WORLDS, seed: printedSeed('random guilds') });
  // The generated guilds must differ enough.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(WORLDS / 10);
});

/** A guild in the form of Discord's REST API, with one member of interest. */
interface RandomGuild {
  readonly guild: { readonly id: string; readonly owner_id: string; readonly roles: readonly RandomRole[] };
  readonly channels: readonly RandomChannel[];
  /** The bot and the caller. */
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
  /** Only present on voice and stage channels: discord.js recognizes them by it. */
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
const BOT = '80351110224670000';
const CALLER = '80351110224670001';
const STRANGER = '80351110224670002';
const ROLES = Array.from({ length: 5 }, (_, index) => `19703843948331001${index}`);
const CATEGORIES = ['197038439483310100', '197038439483310101'];

/** Permissions with a large effect are frequent, others rare. */
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

const randomGuild: fc.Arbitrary<RandomGuild> = fc
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
