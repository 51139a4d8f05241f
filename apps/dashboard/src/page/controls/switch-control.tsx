import type { ReactNode } from 'react';
import { Switch } from '../design/inputs.tsx';
import { SettingFrame } from '../settings/setting.tsx';
import { useField } from '../settings/use-field.ts';
import type { ControlProps } from './control-props.ts';

export function SwitchControl({ setting }: ControlProps): ReactNode {
  const { set, value, label, description, error } = useField(setting);
  return (
    <SettingFrame setting={setting}>
      <Switch
        label={label}
        {...(description !== undefined && { description })}
        error={error}
        isSelected={value === true}
        onChange={set}
      />
    </SettingFrame>
  );
}
