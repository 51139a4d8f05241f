import { expect, test } from 'vitest';
import type { DiscordChannel, DiscordGuild } from './bot-api.ts';
import { listChannels } from './channels.ts';

const GUILD = '197038439483310000';
const BOT = { userId: '80351110224670000', roleIds: [], timeoutUntilMs: null };

const channel = (id: string, type: number, more: Partial<DiscordChannel> = {}): DiscordChannel => {
  return { id, type, name: id, position: 0, parentId: null, overwrites: [], ...more };
};

function list(...channels: DiscordChannel[]) {
  const guild: DiscordGuild = { id: GUILD, ownerId: BOT.userId, emojis: [], roles: new Map() };
  return listChannels({ guild, channels, bot: BOT }, null, 0);
}

test('channels without a category come first, then each category with its channels, and voice after text', () => {
  const channels = [
    channel('30', 4, { position: 1 }),
    channel('20', 4, { position: 0 }),
    channel('21', 2, { position: 0, parentId: '20' }),
    channel('22', 0, { position: 9, parentId: '20' }),
    channel('31', 0, { position: 3, parentId: '30' }),
    channel('11', 13, { position: 0 }),
    channel('12', 0, { position: 7 }),
  ];
  const order = ['12', '11', '20', '22', '21', '30', '31'];
  expect(list(...channels).map(({ id }) => id)).toEqual(order);
  expect(list(...channels.toReversed()).map(({ id }) => id)).toEqual(order);
});

test('of two channels at one position the older one comes first, however many digits its id has', () => {
  const [older, newer] = [channel('99999999999999999', 0), channel('100000000000000000', 0)];
  expect(list(newer, older).map(({ id }) => id)).toEqual([older.id, newer.id]);
});

test('a channel whose category is unknown is listed without one', () => {
  expect(list(channel('20', 4), channel('11', 0, { parentId: '99' })).map(({ id }) => id)).toEqual(['11', '20']);
});
