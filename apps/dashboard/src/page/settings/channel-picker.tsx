import type { GuildChannel } from '@guild-settings/contract';
import { fieldLabel } from '@guild-settings/i18n';
import type { ReactNode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { ComboBox } from '../design/combo-box.tsx';
import { Option, OptionGroup } from '../design/list-box.tsx';
import { groupsOf } from './channels.ts';
import { useSettings } from './settings-context.ts';
import { useFieldError, useSetField } from './use-field.ts';

/** The option for no channel, because an option needs an id. Those of channels have a prefix: a value may be any text. */
const NONE = 'none';
const CHANNEL = 'channel:';

interface ChannelPickerProps {
  readonly channels: readonly GuildChannel[];
  readonly value: string;
  /** Whether it takes the place of a field that has the focus. */
  readonly autoFocus: boolean;
}

/** The channels of a guild below their categories, found by typing. A value that is none of them stays. */
export function ChannelPicker({ channels, value, autoFocus }: ChannelPickerProps): ReactNode {
  const { words } = useSettings();
  const { t, language } = words;
  const set = useSetField();
  const groups = groupsOf(channels);
  const isKnown = value === '' || groups.some((group) => group.channels.some(({ id }) => id === value));
  return (
    <I18nProvider locale={language}>
      <ComboBox
        label={fieldLabel('announcement_channel', words)}
        description={t('help.announcement_channel')}
        error={useFieldError('announcement_channel')}
        placeholder={t('channel.search')}
        openLabel={t('channel.show')}
        listLabel={t('channel.list')}
        empty={t('channel.noMatch')}
        allowsEmptyCollection
        autoFocus={autoFocus}
        menuTrigger="focus"
        value={value === '' ? NONE : `${CHANNEL}${value}`}
        onChange={(key) =>
          set('announcement_channel', key === null || key === NONE ? '' : String(key).slice(CHANNEL.length))
        }
      >
        <Option id={NONE} text={t('channel.none')} />
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
