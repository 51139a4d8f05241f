import { type Setting, textIn } from '@guild-settings/contract/settings';
import { lengthOf } from '@guild-settings/i18n';
import type { ComponentType, ReactNode } from 'react';
import { Select, type SelectOption } from '../design/select.tsx';
import { Switch } from '../design/switch.tsx';
import { TextField } from '../design/text-field.tsx';
import { FEATURES } from '../draft/fields.ts';
import { LANGUAGE_NAMES, LANGUAGES } from '../i18n/languages.ts';
import { ChannelSetting } from './channel-setting.tsx';
import { FeaturesSetting } from './features-setting.tsx';
import { SettingFrame } from './setting.tsx';
import { useSettings } from './settings-context.ts';
import { useField } from './use-field.ts';

interface SettingProps {
  readonly setting: Setting;
}

/** The control of a setting, by its kind. */
export function SettingControl({ setting }: SettingProps): ReactNode {
  if (setting === FEATURES) return <FeaturesSetting />;
  const Control = setting.many === undefined ? CONTROLS[setting.kind.control] : undefined;
  return Control && <Control setting={setting} />;
}

const CONTROLS: { readonly [Control in Setting['kind']['control']]?: ComponentType<SettingProps> } = {
  text: TextSetting,
  choice: ChoiceSetting,
  channel: ChannelSetting,
  switch: SwitchSetting,
};

/** A text of one line, with its length. */
function TextSetting({ setting }: SettingProps): ReactNode {
  const { t } = useSettings().words;
  const { set, value, description, ...texts } = useField(setting);
  const { declared } = setting;
  const used = lengthOf(String(value));
  const length = declared.kind === 'text' ? t('length', { used, max: declared.max }) : undefined;
  return (
    <SettingFrame setting={setting}>
      <TextField
        {...texts}
        description={[description, length].filter((text) => text !== undefined).join(' ')}
        value={String(value)}
        onChange={set}
        spellCheck={false}
      />
    </SettingFrame>
  );
}

/** One of some values. One that this page does not know stays until another one is chosen. */
function ChoiceSetting({ setting }: SettingProps): ReactNode {
  const { language } = useSettings().words;
  const { set, value, ...texts } = useField(setting);
  const { declared } = setting;
  const choices = declared.kind === 'choice' ? declared.choices : {};
  const known = Object.entries(choices).map(([choice, label]) => optionOf(choice, textIn(label, language)));
  const chosen = String(value);
  const isKnown = Object.hasOwn(choices, chosen);
  return (
    <SettingFrame setting={setting}>
      <Select<string>
        {...texts}
        value={chosen}
        options={isKnown ? known : [...known, { value: chosen, text: chosen }]}
        onChange={(choice) => Object.hasOwn(choices, choice) && set(choice)}
      />
    </SettingFrame>
  );
}

/** Returns the option of a choice. Languages have no labels: each has its name in its own words. */
function optionOf(value: string, label: string | undefined): SelectOption<string> {
  const lang = LANGUAGES.find((tag) => tag === value);
  if (label !== undefined || lang === undefined) return { value, text: label ?? value };
  return { value, text: LANGUAGE_NAMES[lang], lang };
}

/** True or false. */
function SwitchSetting({ setting }: SettingProps): ReactNode {
  const { set, value, label, description } = useField(setting);
  return (
    <SettingFrame setting={setting}>
      <Switch
        label={label}
        {...(description !== undefined && { description })}
        isSelected={value === true}
        onChange={set}
      />
    </SettingFrame>
  );
}
