import type { GuildChannel } from '@guild-settings/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../design/notice.tsx';
import { TextField } from '../design/text-field.tsx';
import type { ChannelPickerProps } from './channel-picker.tsx';
import { channelsQuery } from './channels.ts';
import { Setting } from './setting.tsx';
import { useSettings } from './settings-context.ts';
import { useFieldError, useSetField } from './use-field.ts';

const loadPicker = () => import('./channel-picker.tsx');
const ChannelPicker = lazy(async () => ({ default: (await loadPicker()).ChannelPicker }));

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
          <ChannelField channels={data} value={value} />
          <CannotPost channel={data.find(({ id }) => id === value)} />
        </>
      )}
    </Setting>
  );
}

/** The name of the chosen channel. The list is larger than the rest of the page, so it is loaded when the field is used. */
function ChannelField({ channels, value }: ChannelPickerProps): ReactNode {
  const { t } = useTranslation('settings');
  const [isUsed, setUsed] = useState(false);
  const chosen = channels.find(({ id }) => id === value);
  const name = value === '' ? t('channel.none') : chosen === undefined ? value : `#${chosen.name}`;
  const resting = (
    <TextField
      label={t('field.announcement_channel')}
      description={t('help.announcement_channel')}
      error={useFieldError('announcement_channel')}
      value={name}
      onChange={() => undefined}
      isReadOnly
      onPointerEnter={() => void loadPicker()}
      onFocus={() => setUsed(true)}
    />
  );
  if (!isUsed) return resting;
  return (
    <Suspense fallback={resting}>
      <ChannelPicker channels={channels} value={value} />
    </Suspense>
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
