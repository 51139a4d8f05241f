import type { Setting } from '@guild-settings/contract/settings';

/** The props of a setting's control. */
export interface ControlProps {
  readonly setting: Setting;
}
