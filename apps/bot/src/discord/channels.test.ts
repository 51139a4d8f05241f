import { once } from 'node:events';
import { Events, PermissionFlagsBits } from 'discord.js';
import { describe, expect, test } from 'vitest';
import {
  BOT_ID,
  CHANNEL,
  clientResource,
  discordResource,
  GUILD,
  joinGuild,
  TOKEN,
} from '../testing/discord-resource.ts';
import { channelsOf, type Post } from './channels.ts';
import { logIn } from './gateway-client.ts';

const OTHER = '1234567890124931072';
const [NEWS, THREAD, SECRET, MUTE, FOREIGN, VOICE, LOCKED, CATEGORY] = [
  '1300000000000000011',
  '1300000000000000012',
  '1300000000000000013',
  '1300000000000000014',
  '1300000000000000015',
  '1300000000000000021',
  '1300000000000000022',
  '1300000000000000023',
];
const { Connect, ViewChannel, SendMessages } = PermissionFlagsBits;

/** Channels of every kind, as a connected bot sees them. */
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
  test('is known to be writable or not', async () => {
    await using there = await channelsResource();
    const unknown = ['1300000000000000099', '99999999999999999999'];
    const ids = [CHANNEL.id, NEWS, THREAD, VOICE, SECRET, MUTE, LOCKED, CATEGORY, FOREIGN, ...unknown];
    const states = await Promise.all(ids.map((id) => there.channels.stateOf(GUILD.id, id)));
    expect(states).toEqual([
      'writable',
      'writable',
      'writable',
      'writable',
      'unwritable',
      'unwritable',
      'unwritable',
      'unwritable',
      'unknown',
      'unknown',
      'unknown',
    ]);
  });

  test('that changes is known as it is now', async () => {
    await using there = await channelsResource();
    const { world, messages } = there.discord;
    world.setChannelPermissions(MUTE, {});
    world.removeChannel(NEWS);
    world.addChannel({ id: '1300000000000000016', guildId: GUILD.id, name: 'new' });
    // The client receives this post after the changes.
    await there.channels.post(MUTE, post());
    await messages.waitFor(({ channelId }) => channelId === MUTE);
    expect(await there.channels.stateOf(GUILD.id, '1300000000000000016')).toBe('writable');
    expect(await there.channels.stateOf(GUILD.id, MUTE)).toBe('writable');
    expect(await there.channels.stateOf(GUILD.id, NEWS)).toBe('unknown');
  });

  test('takes a post, or refuses it for good or for now', async () => {
    await using there = await channelsResource();
    const { channels } = there;
    expect(await channels.post(THREAD, post())).toBe('posted');
    expect(await channels.post('1300000000000000099', post())).toBe('gone');
    expect(await channels.post(SECRET, post())).toBe('forbidden');
    expect(await channels.post(MUTE, post())).toBe('forbidden');
    expect(await channels.post(LOCKED, post())).toBe('forbidden');
    expect(await channels.post(CATEGORY, post())).toBe('forbidden');
    // A body that Discord does not take is refused, too, and not tried for ever.
    expect(await channels.post(CHANNEL.id, post({ content: ' ' }))).toBe('forbidden');
  });

  test('takes two posts of one nonce for one', async () => {
    await using there = await channelsResource();
    for (let time = 0; time < 2; time++) expect(await there.channels.post(CHANNEL.id, post())).toBe('posted');
    expect(there.discord.messages.in(CHANNEL.id)).toHaveLength(1);
  });

  test('posts after the pause that Discord requires', async () => {
    await using there = await channelsResource();
    const path = `/channels/${CHANNEL.id}/messages`;
    there.discord.faults.set({ kind: 'rate-limit', retryAfterSeconds: 0.1 }, { path, times: 1 });
    expect(await there.channels.post(CHANNEL.id, post())).toBe('posted');
    expect(there.discord.calls.count({ path })).toBe(2);
  });

  test('of a Discord that fails is not known, and whether it took a post neither', async () => {
    await using there = await channelsResource();
    const { discord, channels } = there;
    discord.faults.set({ kind: 'status', status: 500 });
    await expect(channels.stateOf(GUILD.id, '1300000000000000099')).rejects.toThrow();
    await expect(channels.post(CHANNEL.id, post())).rejects.toThrow();
    discord.faults.set({ kind: 'hang' });
    await expect(channels.post(CHANNEL.id, post(), AbortSignal.timeout(50))).rejects.toThrow('abort');
  });
});
