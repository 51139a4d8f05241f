import type { Setting } from '@guild-settings/contract/settings';
import { type ComponentType, memo, type ReactNode } from 'react';
import { FeaturesSetting } from '../settings/features-setting.tsx';
import { isFeatures } from '../settings/sections.ts';
import { SettingValue } from '../settings/setting-value.tsx';
import { useSettings } from '../settings/settings-context.ts';
import { ChoiceControl } from './choice-control.tsx';
import { ChoicesControl } from './choices-control.tsx';
import type { ControlProps } from './control-props.ts';
import { DurationControl } from './duration-control.tsx';
import { ListControl } from './list-control.tsx';
import { NumberControl } from './number-control.tsx';
import { PickControl } from './pick-control.tsx';
import { PickManyControl } from './pick-many-control.tsx';
import { SwitchControl } from './switch-control.tsx';
import { TextControl } from './text-control.tsx';

type Controls = { readonly [Control in Setting['kind']['control']]: ComponentType<ControlProps> };

const ONE: Controls = {
  text: TextControl,
  number: NumberControl,
  duration: DurationControl,
  choice: ChoiceControl,
  channel: PickControl,
  role: PickControl,
  switch: SwitchControl,
};

/** The controls of lists. A switch has none. */
const MANY: Controls = {
  ...ONE,
  text: ListControl,
  number: ListControl,
  duration: ListControl,
  choice: ChoicesControl,
  channel: PickManyControl,
  role: PickManyControl,
};

export const SettingControl = memo(function SettingControl({ setting }: ControlProps): ReactNode {
  if (isFeatures(setting)) return <FeaturesSetting />;
  if (setting.declared.setBy === 'application') return <Locked setting={setting} />;
  const Control = (setting.many === undefined ? ONE : MANY)[setting.kind.control];
  return <Control setting={setting} />;
});

function Locked({ setting }: ControlProps): ReactNode {
  return <SettingValue setting={setting} lock={useSettings().words.t('locked')} />;
}
