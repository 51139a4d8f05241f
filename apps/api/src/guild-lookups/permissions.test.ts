import { printedSeed, repetitions } from '@guild-settings/testing';
import { BOT, CALLER, type RandomGuild, randomGuild } from '@guild-settings/testing/random-guild';
import {
  Client,
  Guild,
  type GuildChannel,
  type GuildMember,
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

/** Returns a guild of discord.js made of the same data. Its constructor is private to TypeScript. */
function guildOf({ guild, channels, members }: RandomGuild): Guild {
  client.channels.cache.clear();
  const data = { ...guild, channels: channels.map((channel) => ({ ...channel, guild_id: guild.id })), members };
  return Reflect.construct(Guild, [client, data]);
}

/** Returns what the service reads from the same data. */
function viewOf({ guild, channels, members: [bot, caller] }: RandomGuild) {
  const view = {
    guild: DiscordGuild.parse(guild),
    channels: DiscordChannels.parse(channels),
    bot: DiscordMember.parse(bot),
  };
  return { view, caller: DiscordMember.parse(caller) };
}

/** Returns what a member may do: discord.js leaves out what is denied implicitly, and timeouts. */
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

/** Permissions by overwrites alone, and with what is denied implicitly. */
type Permissions = readonly [raw: bigint, effective: bigint];

/** The decision about a channel. */
interface Verdict {
  readonly bot: Permissions;
  readonly caller: Permissions;
  readonly isListed: boolean;
  readonly botCanPost: boolean;
}

function ours(random: RandomGuild, nowMs: number): Verdict[] {
  const { view, caller } = viewOf(random);
  const listed = new Map(listChannels(view, caller, nowMs).map((channel) => [channel.id, channel]));
  return view.channels.map(({ id, overwrites }) => {
    const of = (member: PermissionMember): Permissions => [
      overwrittenPermissions(view.guild, member, overwrites) & PermissionsBitField.All,
      channelPermissions(view.guild, member, { overwrites, nowMs }) & PermissionsBitField.All,
    ];
    const botCanPost = listed.get(id)?.botCanPost ?? false;
    return { bot: of(view.bot), caller: of(caller), isListed: listed.has(id), botCanPost };
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
    return { bot: of(bot), caller: of(caller), isListed, botCanPost: isListed && canPost(channel, of(bot)[1]) };
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
  // The guilds are not all alike.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(WORLDS / 10);
});
