import type { GuildChannel } from '@guild-settings/contract';
import { fieldLabel } from '@guild-settings/i18n';
import { useQuery } from '@tanstack/react-query';
import { type FocusEvent, type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { Notice } from '../design/notice.tsx';
import { TextField } from '../design/text-field.tsx';
import { channelsQuery } from './channels.ts';
import { Setting } from './setting.tsx';
import { useSettings } from './settings-context.ts';
import { useFieldError, useSetField } from './use-field.ts';

/** The channel for announcements: chosen from a list, or its id where the channels cannot be listed. */
export function ChannelSetting(): ReactNode {
  const { guild, draft } = useSettings();
  const { data, isError } = useQuery(channelsQuery(guild));
  const { picker, isMissing, load } = usePicker();
  const value = draft.settings.announcement_channel;
  if (data === undefined || isMissing) {
    return (
      <Setting field="announcement_channel">
        <ChannelId isListMissing={isError || isMissing} />
      </Setting>
    );
  }
  return (
    <Setting field="announcement_channel">
      {picker === undefined ? (
        <ChosenChannel channels={data} value={value} onFocus={load} />
      ) : (
        <picker.Picker channels={data} value={value} autoFocus={picker.isFocused} />
      )}
      <CannotPost channel={data.find(({ id }) => id === value)} />
    </Setting>
  );
}

type Picker = typeof import('./channel-picker.tsx').ChannelPicker;

/** The picker, which is a third of the size of this page, is loaded when its field gets the focus. */
function usePicker() {
  const [picker, setPicker] = useState<{ readonly Picker: Picker; readonly isFocused: boolean }>();
  const [isMissing, setMissing] = useState(false);
  const load = ({ currentTarget: field }: FocusEvent) => {
    import('./channel-picker.tsx').then(
      // The focus may have moved on meanwhile. It cannot before the picker is there: rendered later, the picker would take it back.
      ({ ChannelPicker }) =>
        flushSync(() => setPicker({ Picker: ChannelPicker, isFocused: document.activeElement === field })),
      () => setMissing(true),
    );
  };
  return { picker, isMissing, load };
}

interface ChosenChannelProps {
  readonly channels: readonly GuildChannel[];
  readonly value: string;
  readonly onFocus: (event: FocusEvent) => void;
}

/** The field of the picker before it is loaded. */
function ChosenChannel({ channels, value, onFocus }: ChosenChannelProps): ReactNode {
  const { words } = useSettings();
  const { t } = words;
  const channel = channels.find(({ id }) => id === value);
  const unknown = value === '' ? t('channel.none') : `${t('channel.unknown')} ${value}`;
  return (
    <TextField
      label={fieldLabel('announcement_channel', words)}
      description={t('help.announcement_channel')}
      error={useFieldError('announcement_channel')}
      value={channel === undefined ? unknown : `#${channel.name}`}
      onChange={() => {}}
      isReadOnly
      role="combobox"
      aria-expanded={false}
      aria-haspopup="listbox"
      onFocus={onFocus}
    />
  );
}

/** The warning before a save that the bot cannot write in the chosen channel. */
function CannotPost({ channel }: { readonly channel: GuildChannel | undefined }): ReactNode {
  const { t, language } = useSettings().words;
  if (channel === undefined || channel.botCanPost) return null;
  const names = channel.missing.map((name) => t(`channel.permission.${name}`, { defaultValue: name }));
  const permissions = new Intl.ListFormat(language).format(names);
  return (
    <Notice tone="warning" role="status">
      <p>{names.length === 0 ? t('channel.cannotPost') : t('channel.missing', { permissions })}</p>
      <p>{t('channel.missingHelp')}</p>
    </Notice>
  );
}

function ChannelId({ isListMissing }: { readonly isListMissing: boolean }): ReactNode {
  const { draft, words } = useSettings();
  const { t } = words;
  const label = fieldLabel('announcement_channel', words);
  const set = useSetField();
  return (
    <TextField
      label={isListMissing ? t('channel.idLabel') : label}
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
