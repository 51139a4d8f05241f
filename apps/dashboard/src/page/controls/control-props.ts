import type { Setting } from '@guild-settings/contract/settings';

/** What the control of a kind needs. */
export interface ControlProps {
  readonly setting: Setting;
}
