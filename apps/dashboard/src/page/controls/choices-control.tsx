import type { ReactNode } from 'react';
import { ChoiceGroup } from '../design/choice-group.tsx';
import { SettingFrame } from '../settings/setting.tsx';
import { useSettings } from '../settings/settings-context.ts';
import { useField } from '../settings/use-field.ts';
import { optionsOf } from './choice-control.tsx';
import type { ControlProps } from './control-props.ts';

export function ChoicesControl({ setting }: ControlProps): ReactNode {
  const { language } = useSettings().words;
  const { set, value, ...texts } = useField(setting);
  const chosen = value as readonly string[];
  const toggle = (choice: string) =>
    set(chosen.includes(choice) ? chosen.filter((one) => one !== choice) : [...chosen, choice]);
  return (
    <SettingFrame setting={setting}>
      <ChoiceGroup
        {...texts}
        type="checkbox"
        values={chosen}
        options={optionsOf(setting, chosen, language)}
        onChange={toggle}
      />
    </SettingFrame>
  );
}
