import type { GuildChannel } from '@guild-settings/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../design/notice.tsx';
import { TextField } from '../design/text-field.tsx';
import { channelsQuery } from './channels.ts';
import { Setting } from './setting.tsx';
import { useSettings } from './settings-context.ts';
import { useFieldError, useSetField } from './use-field.ts';

/** Larger than the rest of the page, which does not wait for it. */
const ChannelPicker = lazy(async () => ({ default: (await import('./channel-picker.tsx')).ChannelPicker }));

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
          <Suspense fallback={<ChannelId isListMissing={false} />}>
            <ChannelPicker channels={data} value={value} />
          </Suspense>
          <CannotPost channel={data.find(({ id }) => id === value)} />
        </>
      )}
    </Setting>
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
      spellCheck={false}
    />
  );
}
