import { DEFAULT_SETTINGS, type Guild } from '@guild-settings/contract';

/** The guild in the examples of the OpenAPI document. */
export const EXAMPLE_GUILD: Guild = {
  id: '197038439483310086',
  name: 'Discord Testers',
  icon: 'f64c482b807da4f539cff778d174971c',
  ...DEFAULT_SETTINGS,
  prefix: '?',
  enabledFeatures: ['reminders'],
};
