import type { Setting } from '@guild-settings/contract/settings';
import { channelWarnings, roleWarnings, type Words } from '@guild-settings/i18n';
import { useQuery } from '@tanstack/react-query';
import { channelName } from './channels.ts';
import { rolesQuery } from './roles.ts';
import { useChannels } from './use-channels.ts';

/** Returns the warnings about the channels or roles of a setting. Empty until the lists of the guild are there. */
export function useWarnings(guild: string, setting: Setting, ids: readonly string[], words: Words): readonly string[] {
  const isRole = setting.declared.kind === 'role';
  const { channels, isSearching } = useChannels(guild, ids, { enabled: !isRole });
  const { data: roles } = useQuery({ ...rolesQuery(guild), enabled: isRole });
  const ofRole = (id: string) => {
    const role = roles?.find((one) => one.id === id);
    const shown = role === undefined ? { name: id, lead: '' } : { name: id, lead: `@${role.name}: ` };
    return roles === undefined ? [] : roleWarnings(id === guild ? 'everyone' : role, shown, words);
  };
  const ofChannel = (id: string) => {
    const channel = channels?.find((one) => one.id === id);
    if (channels === undefined || (channel === undefined && isSearching)) return [];
    return channelWarnings(setting, channel, { name: channelName(id, channels) ?? id, lead: '' }, words);
  };
  return [...new Set(ids.filter((id) => id !== '').flatMap(isRole ? ofRole : ofChannel))];
}
