import type { ReactNode } from 'react';
import { SettingFrame } from '../settings/setting.tsx';
import { useSettings } from '../settings/settings-context.ts';
import { useField } from '../settings/use-field.ts';
import type { ControlProps } from './control-props.ts';
import { PickField } from './pick-field.tsx';
import { PickNotice } from './pick-notice.tsx';
import { usePickable } from './use-pickable.tsx';

export function PickControl({ setting }: ControlProps): ReactNode {
  const { guild, words } = useSettings();
  const { set, value, ...texts } = useField(setting);
  const pickable = usePickable(setting, [String(value)]);
  return (
    <SettingFrame setting={setting}>
      <PickField {...texts} pickable={pickable} value={String(value)} onPick={set} />
      <PickNotice guild={guild} setting={setting} ids={[String(value)]} words={words} />
    </SettingFrame>
  );
}
