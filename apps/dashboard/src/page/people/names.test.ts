import type { GuildChannel } from '@guild-settings/contract';
import { type Setting, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { expect, test } from 'vitest';
import { groupsOf } from './names.ts';

function channel(id: string, name: string, more: Partial<GuildChannel> = {}): GuildChannel {
  const bot = { botCanPost: true, missing: [], botPermissions: '3072' };
  return { id, name, type: 0, position: 0, parent_id: null, ...bot, ...more };
}

const announcements = SPECIFIED_SETTINGS.byField.get('announcement_channel') as Setting;

test('channels are below their categories, also where two categories have one name or one is hidden', () => {
  const channels = [
    channel('1', 'rules'),
    channel('2', 'archive', { type: 4 }),
    channel('3', 'old', { parent_id: '2' }),
    channel('4', 'archive', { type: 4 }),
    channel('5', 'older', { parent_id: '4' }),
    channel('6', 'talk', { parent_id: '9' }),
    channel('7', 'forum', { type: 15 }),
  ];
  const shown = groupsOf(channels, announcements).map(({ id, category, channels: members }) => [
    id,
    category,
    members.map((one) => one.id),
  ]);
  expect(shown).toEqual([
    ['', undefined, ['1', '6']],
    ['2', 'archive', ['3']],
    ['4', 'archive', ['5']],
  ]);
});
