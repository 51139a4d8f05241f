import type { GuildChannel } from '@guild-settings/contract';
import type { Setting } from '@guild-settings/contract/settings';
import { useQuery } from '@tanstack/react-query';
import { type FocusEvent, type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { Notice } from '../design/notice.tsx';
import { TextField } from '../design/text-field.tsx';
import { channelsQuery, noneText } from './channels.ts';
import { SettingFrame } from './setting.tsx';
import { useSettings } from './settings-context.ts';
import { useField } from './use-field.ts';

/** A channel: chosen from a list, or its id where the channels cannot be listed. */
export function ChannelSetting({ setting }: { readonly setting: Setting }): ReactNode {
  const { guild } = useSettings();
  const { data, isError } = useQuery(channelsQuery(guild));
  const { picker, isMissing, load } = usePicker();
  const { value } = useField(setting);
  if (data === undefined || isMissing) {
    return (
      <SettingFrame setting={setting}>
        <ChannelId setting={setting} isListMissing={isError || isMissing} />
      </SettingFrame>
    );
  }
  return (
    <SettingFrame setting={setting}>
      {picker === undefined ? (
        <ChosenChannel setting={setting} channels={data} onFocus={load} />
      ) : (
        <picker.Picker setting={setting} channels={data} autoFocus={picker.isFocused} />
      )}
      <CannotPost channel={data.find(({ id }) => id === value)} />
    </SettingFrame>
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
  readonly setting: Setting;
  readonly channels: readonly GuildChannel[];
  readonly onFocus: (event: FocusEvent) => void;
}

/** The field of the picker before it is loaded. */
function ChosenChannel({ setting, channels, onFocus }: ChosenChannelProps): ReactNode {
  const { words } = useSettings();
  const { value, set: _set, ...texts } = useField(setting);
  const channel = channels.find(({ id }) => id === value);
  const unknown = value === '' ? noneText(setting, words) : `${words.t('channel.unknown')} ${value}`;
  return (
    <TextField
      {...texts}
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

interface ChannelIdProps {
  readonly setting: Setting;
  readonly isListMissing: boolean;
}

function ChannelId({ setting, isListMissing }: ChannelIdProps): ReactNode {
  const { t } = useSettings().words;
  const { set, value, label, description, error } = useField(setting);
  return (
    <TextField
      label={isListMissing ? t('channel.idLabel') : label}
      description={isListMissing ? t('channel.byId') : description}
      error={error}
      value={String(value)}
      onChange={set}
      isReadOnly={!isListMissing}
      inputMode="numeric"
      spellCheck={false}
    />
  );
}
