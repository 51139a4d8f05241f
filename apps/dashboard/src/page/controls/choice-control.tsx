import { type Setting, textIn } from '@guild-settings/contract/settings';
import type { ReactNode } from 'react';
import { ChoiceGroup } from '../design/choice-group.tsx';
import { Select, type SelectOption } from '../design/field.tsx';
import { LANGUAGE_NAMES, LANGUAGES } from '../i18n/languages.ts';
import { SettingFrame } from '../settings/setting.tsx';
import { useSettings } from '../settings/settings-context.ts';
import { useField } from '../settings/use-field.ts';
import type { ControlProps } from './control-props.ts';

const SHOWN = 4;

/** A choice among values. A value that was removed stays until another one is chosen. */
export function ChoiceControl({ setting }: ControlProps): ReactNode {
  const { language } = useSettings().words;
  const { set, value, ...texts } = useField(setting);
  const chosen = String(value);
  const options = optionsOf(setting, [chosen], language);
  const isDeclared = (choice: string) =>
    setting.declared.kind === 'choice' && Object.hasOwn(setting.declared.choices, choice);
  const choose = (choice: string) => (isDeclared(choice) || choice === chosen) && set(choice);
  return (
    <SettingFrame setting={setting}>
      {options.length > SHOWN ? (
        <Select<string> {...texts} value={chosen} options={options} onChange={choose} />
      ) : (
        <ChoiceGroup {...texts} type="radio" values={[chosen]} options={options} onChange={choose} />
      )}
    </SettingFrame>
  );
}

/** Returns the choices of a setting, and after them values that are none any more. */
export function optionsOf(
  { declared, place }: Setting,
  values: readonly string[],
  language: string,
): readonly SelectOption<string>[] {
  const choices = declared.kind === 'choice' ? declared.choices : {};
  const known = Object.entries(choices).map(([choice, label]) => optionOf(choice, textIn(label, language), place));
  const removed = values.filter((value) => !Object.hasOwn(choices, value));
  return [...known, ...removed.map((value) => ({ value, text: value }))];
}

function optionOf(value: string, label: string | undefined, place: Setting['place']): SelectOption<string> {
  const lang = place === 'record' ? LANGUAGES.find((tag) => tag === value) : undefined;
  if (label !== undefined || lang === undefined) return { value, text: label ?? value };
  return { value, text: LANGUAGE_NAMES[lang], lang };
}
