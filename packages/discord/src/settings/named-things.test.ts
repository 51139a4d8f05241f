import { DeclaredSettings, defineSettings } from '@guild-settings/contract/settings';
import { invocationIn } from '@guild-settings/testing/bot';
import { expect, test } from 'vitest';
import { withIds } from './named-things.ts';

const settings = new DeclaredSettings(
  defineSettings({ settings: { roles: { kind: 'role', many: { max: 2 }, label: { 'en-US': 'Roles' } } } }),
);

test('names are found in a list as long as the setting takes one, and one more; the rest is left as it is', async () => {
  const setting = settings.byField.get('custom.roles');
  if (setting === undefined) throw new Error('Expected the setting');
  const channels = {
    known: () => [{ value: '1300000000000000001', mention: '<@&1300000000000000001>', names: ['Night Owl'] }],
    membersNamed: async () => [],
    hasMember: async () => true,
  };
  const typed = 'Night Owl, Night Owl, Night Owl, Night Owl, <@&1300000000000000002>';
  const id = '1300000000000000001';
  expect(await withIds(setting, typed, { ...invocationIn('en-US'), channels })).toBe(
    [id, id, id, 'Night Owl', '<@&1300000000000000002>'].join(', '),
  );
});
