import type { Setting } from '@guild-settings/contract/settings';

export interface ControlProps {
  readonly setting: Setting;
}
