import { once } from 'node:events';
import { waitUntil } from '@guild-settings/testing';
import { BOT_ID, CHANNEL, clientResource, discordResource, GUILD, joinGuild, TOKEN } from '@guild-settings/testing/bot';
import { Events, PermissionFlagsBits } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { channelsOf, type Post } from './channels.ts';
import { logIn } from './gateway-client.ts';

const OTHER = '1234567890124931072';
const idOf = (number: number) => `13000000000000000${number}`;
const [NEWS, THREAD, SECRET, MUTE] = [idOf(11), idOf(12), idOf(13), idOf(14)];
const [FOREIGN, VOICE, LOCKED, CATEGORY, NEW, UNKNOWN] = [idOf(15), idOf(21), idOf(22), idOf(23), idOf(16), idOf(99)];
const { Connect, ViewChannel, SendMessages } = PermissionFlagsBits;

/** Channels of every kind as visible to a connected bot. */
async function channelsResource() {
  const discord = await discordResource();
  const { world } = discord;
  joinGuild(discord, OTHER, 'Cake');
  world.addChannel({ id: NEWS, guildId: GUILD.id, name: 'news', type: 'announcement' });
  world.addChannel({ id: THREAD, guildId: GUILD.id, name: 'thread', type: 'thread', parentId: CHANNEL.id });
  world.addChannel({ id: SECRET, guildId: GUILD.id, name: 'secret', permissions: { [BOT_ID]: { deny: ViewChannel } } });
  world.addChannel({ id: MUTE, guildId: GUILD.id, name: 'mute', permissions: { [BOT_ID]: { deny: SendMessages } } });
  world.addChannel({ id: VOICE, guildId: GUILD.id, name: 'voice', type: 'voice' });
  const locked = { [BOT_ID]: { deny: Connect } };
  world.addChannel({ id: LOCKED, guildId: GUILD.id, name: 'locked', type: 'voice', permissions: locked });
  world.addChannel({ id: CATEGORY, guildId: GUILD.id, name: 'category', type: 'category' });
  world.addChannel({ id: FOREIGN, guildId: OTHER, name: 'foreign' });
  const client = clientResource(discord);
  const ready = once(client, Events.ClientReady);
  await logIn(client, TOKEN, { signal: new AbortController().signal, onRetry: () => {} });
  await ready;
  return {
    discord,
    channels: channelsOf(client),
    async [Symbol.asyncDispose]() {
      await client.destroy();
      await discord.close();
    },
  };
}

const post = (changed: Partial<Post> = {}): Post => ({
  content: 'tea',
  nonce: 'n',
  mentions: { parse: [] },
  ...changed,
});

describe('a channel', () => {
  test('is known to be writable or not, as it is now', async () => {
    await using there = await channelsResource();
    const { world, messages } = there.discord;
    const statesOf = (ids: readonly string[]) => Promise.all(ids.map((id) => there.channels.stateOf(GUILD.id, id)));
    expect(await statesOf([CHANNEL.id, NEWS, THREAD, VOICE])).toEqual(Array(4).fill('writable'));
    expect(await statesOf([SECRET, MUTE, LOCKED, CATEGORY])).toEqual(Array(4).fill('unwritable'));
    expect(await statesOf([FOREIGN, UNKNOWN, '99999999999999999999'])).toEqual(Array(3).fill('unknown'));
    world.setChannelPermissions(MUTE, {});
    world.removeChannel(NEWS);
    world.addChannel({ id: NEW, guildId: GUILD.id, name: 'new' });
    // The client receives this post after the changes.
    await there.channels.post(MUTE, post());
    await messages.waitFor(({ channelId }) => channelId === MUTE);
    expect(await statesOf([NEW, MUTE, NEWS])).toEqual(['writable', 'writable', 'unknown']);
  });

  test('is known with what the bot may do in it: nothing where it does not see it, and little during a timeout', async () => {
    await using there = await channelsResource();
    const mayIn = async (id: string) => BigInt((await there.channels.channel(GUILD.id, id))?.botPermissions ?? -1n);
    expect((await mayIn(CHANNEL.id)) & ~(await mayIn(MUTE))).toBe(SendMessages);
    expect((await mayIn(THREAD)) === (await mayIn(CHANNEL.id))).toBe(true);
    expect([await mayIn(SECRET), await mayIn(FOREIGN)]).toEqual([0n, -1n]);
    there.discord.world.setTimeout(GUILD.id, BOT_ID, Date.now() + 3_600_000);
    await waitUntil(async () => (await there.channels.stateOf(GUILD.id, CHANNEL.id)) === 'unwritable', {
      message: 'the timeout',
    });
    expect((await mayIn(CHANNEL.id)) & (ViewChannel | SendMessages)).toBe(ViewChannel);
  });

  test('takes a post, two of one nonce for one, or refuses it for good or for now', async () => {
    await using there = await channelsResource();
    const { channels } = there;
    for (const id of [CHANNEL.id, CHANNEL.id]) expect(await channels.post(id, post())).toBe('posted');
    expect(await channels.post(THREAD, post({ nonce: 'another' }))).toBe('posted');
    expect(there.discord.messages.in(CHANNEL.id)).toHaveLength(1);
    expect(await channels.post(UNKNOWN, post())).toBe('gone');
    for (const id of [SECRET, MUTE, LOCKED, CATEGORY]) expect(await channels.post(id, post())).toBe('forbidden');
    // A body that Discord does not accept is also refused, and not retried forever.
    expect(await channels.post(CHANNEL.id, post({ content: ' ' }))).toBe('forbidden');
  });

  test('of a Discord that fails is not known, and whether it took a post neither', async () => {
    await using there = await channelsResource();
    const { discord, channels } = there;
    discord.faults.set({ kind: 'status', status: 500 });
    await expect(channels.stateOf(GUILD.id, UNKNOWN)).rejects.toThrow();
    await expect(channels.post(CHANNEL.id, post())).rejects.toThrow();
    discord.faults.set({ kind: 'hang' });
    await expect(channels.post(CHANNEL.id, post(), AbortSignal.timeout(50))).rejects.toThrow('abort');
  });
});
