import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ComboBox } from '../design/combo-box.tsx';
import { Option, OptionGroup } from '../design/list-box.tsx';
import { Notice } from '../design/notice.tsx';
import { TextField } from '../design/text-field.tsx';
import type { GuildChannel } from '../service/awaited-procedures.ts';
import { channelsQuery, groupsOf } from './channels.ts';
import { Setting } from './setting.tsx';
import { useSettings } from './settings-context.ts';
import { useFieldError, useSetField } from './use-field.ts';

/** The option for no channel, because an option needs an id. */
const NONE = 'none';

/** The channel for announcements: chosen from a list, or its id where the channels cannot be listed. */
export function ChannelSetting(): ReactNode {
  const { guild, draft } = useSettings();
  const { data, isError } = useQuery(channelsQuery(guild));
  const value = draft.settings.announcement_channel;
  return (
    <Setting field="announcement_channel">
      {data === undefined ? (
        <ChannelId isListMissing={isError} />
      ) : (
        <>
          <ChannelPicker channels={data} value={value} />
          <CannotPost channel={data.find(({ id }) => id === value)} />
        </>
      )}
    </Setting>
  );
}

function ChannelPicker({
  channels,
  value,
}: {
  readonly channels: readonly GuildChannel[];
  readonly value: string;
}): ReactNode {
  const { t } = useTranslation('settings');
  const set = useSetField();
  const groups = groupsOf(channels);
  const isKnown = value === '' || groups.some((group) => group.channels.some(({ id }) => id === value));
  return (
    <ComboBox
      label={t('field.announcement_channel')}
      description={t('help.announcement_channel')}
      error={useFieldError('announcement_channel')}
      placeholder={t('channel.search')}
      empty={t('channel.noMatch')}
      allowsEmptyCollection
      menuTrigger="focus"
      value={value === '' ? NONE : value}
      onChange={(key) => set('announcement_channel', key === null || key === NONE ? '' : String(key))}
    >
      <Option id={NONE} text={t('channel.none')} />
      {!isKnown && <Option id={value} text={`${t('channel.unknown')} ${value}`} note={t('channel.unknownNote')} />}
      {groups.map(({ category, channels: members }) => (
        <OptionGroup key={category ?? ''} heading={category ?? t('channel.noCategory')}>
          {members.map(({ id, name, botCanPost }) => (
            <Option key={id} id={id} text={`#${name}`} note={botCanPost ? undefined : t('channel.cannotPost')} />
          ))}
        </OptionGroup>
      ))}
    </ComboBox>
  );
}

/** Says before saving that the bot cannot write in the chosen channel. */
function CannotPost({ channel }: { readonly channel: GuildChannel | undefined }): ReactNode {
  const { t, i18n } = useTranslation('settings');
  if (channel === undefined || channel.botCanPost) return null;
  const names = channel.missing.map((name) => t(`channel.permission.${name}`, { defaultValue: name }));
  const permissions = new Intl.ListFormat(i18n.language).format(names);
  return (
    <Notice tone="warning" role="status">
      <p>{names.length === 0 ? t('channel.cannotPost') : t('channel.missing', { permissions })}</p>
      <p>{t('channel.missingHelp')}</p>
    </Notice>
  );
}

function ChannelId({ isListMissing }: { readonly isListMissing: boolean }): ReactNode {
  const { t } = useTranslation('settings');
  const { draft } = useSettings();
  const set = useSetField();
  return (
    <TextField
      label={t(isListMissing ? 'channel.idLabel' : 'field.announcement_channel')}
      description={t(isListMissing ? 'channel.byId' : 'help.announcement_channel')}
      error={useFieldError('announcement_channel')}
      value={draft.settings.announcement_channel}
      onChange={(value) => set('announcement_channel', value)}
      isReadOnly={!isListMissing}
      inputMode="numeric"
      autoComplete="off"
      spellCheck="false"
    />
  );
}
