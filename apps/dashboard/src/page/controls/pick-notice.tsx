import type { Setting } from '@guild-settings/contract/settings';
import { channelWarnings, roleWarnings, type Words } from '@guild-settings/i18n';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Notice } from '../design/panels.tsx';
import { channelName } from '../people/names.ts';
import { rolesQuery } from '../people/roles.ts';
import { useChannels } from '../people/use-channels.ts';

interface PickNoticeProps {
  readonly guild: string;
  readonly setting: Setting;
  readonly ids: readonly string[];
  readonly words: Words;
}

/** The warnings about picked channels or roles, before they are saved. They do not prevent saving. */
export function PickNotice({ guild, setting, ids, words }: PickNoticeProps): ReactNode {
  const warnings = useWarnings(guild, setting, ids, words);
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warning" role="status">
      {warnings.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Notice>
  );
}

/** Returns the warnings about the channels or roles of a setting. Empty until the lists of the guild are loaded. */
function useWarnings(guild: string, setting: Setting, ids: readonly string[], words: Words): readonly string[] {
  const { kind } = setting.declared;
  const isRole = kind === 'role';
  const { channels, isSearching } = useChannels(guild, kind === 'channel' ? ids : [], { enabled: kind === 'channel' });
  const { data: roles } = useQuery({ ...rolesQuery(guild), enabled: isRole });
  const ofRole = (id: string) => {
    const role = roles?.find((one) => one.id === id);
    const label = role && `@${role.name}`;
    return roles === undefined ? [] : roleWarnings(id === guild ? 'everyone' : role, { name: id, label }, words);
  };
  const ofChannel = (id: string) => {
    const channel = channels?.find((one) => one.id === id);
    if (channels === undefined || (channel === undefined && isSearching)) return [];
    return channelWarnings(setting, channel, { name: channelName(id, channels) ?? id }, words);
  };
  if (kind !== 'channel' && !isRole) return [];
  return [...new Set(ids.filter((id) => id !== '').flatMap(isRole ? ofRole : ofChannel))];
}
