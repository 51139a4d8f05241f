import type { GuildChannel } from '@guild-settings/contract';
import type { Setting } from '@guild-settings/contract/settings';
import type { ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { ComboBox } from '../design/combo-box.tsx';
import { Option, OptionGroup } from '../design/list-box.tsx';
import { groupsOf, noneText } from './channels.ts';
import { useSettings } from './settings-context.ts';
import { useField } from './use-field.ts';

/** The option for no channel, because an option needs an id. Those of channels have a prefix: a value may be any text. */
const NONE = 'none';
const CHANNEL = 'channel:';

interface ChannelPickerProps {
  readonly setting: Setting;
  readonly channels: readonly GuildChannel[];
  /** Whether it takes the place of a field that has the focus. */
  readonly autoFocus: boolean;
}

/** The channels of a guild below their categories, found by typing. A value that is none of them stays. */
export function ChannelPicker({ setting, channels, autoFocus }: ChannelPickerProps): ReactNode {
  const { words } = useSettings();
  const { t, language } = words;
  const { set, value, ...texts } = useField(setting);
  const groups = groupsOf(channels);
  const isKnown = value === '' || groups.some((group) => group.channels.some(({ id }) => id === value));
  return (
    <I18nProvider locale={language}>
      <ComboBox
        {...texts}
        placeholder={t('channel.search')}
        openLabel={t('channel.show')}
        listLabel={t('channel.list')}
        empty={t('channel.noMatch')}
        allowsEmptyCollection
        autoFocus={autoFocus}
        menuTrigger="focus"
        value={value === '' ? NONE : `${CHANNEL}${value}`}
        onChange={(key) => set(key === null || key === NONE ? '' : String(key).slice(CHANNEL.length))}
      >
        <Option id={NONE} text={noneText(setting, words)} />
        {!isKnown && (
          <Option id={`${CHANNEL}${value}`} text={`${t('channel.unknown')} ${value}`} note={t('channel.unknownNote')} />
        )}
        {groups.map(({ id: group, category, channels: members }) => (
          <OptionGroup key={group} heading={category ?? t('channel.noCategory')}>
            {members.map(({ id, name, botCanPost }) => (
              <Option
                key={id}
                id={`${CHANNEL}${id}`}
                text={`#${name}`}
                note={botCanPost ? undefined : t('channel.cannotPost')}
              />
            ))}
          </OptionGroup>
        ))}
      </ComboBox>
    </I18nProvider>
  );
}
