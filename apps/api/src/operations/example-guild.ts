import { DEFAULT_SETTINGS, type Difference, type Guild } from '@guild-settings/contract';

export const EXAMPLE_GUILD: Guild = {
  id: '197038439483310086',
  name: 'Discord Testers',
  icon: 'f64c482b807da4f539cff778d174971c',
  ...DEFAULT_SETTINGS,
  prefix: '?',
  enabledFeatures: ['reminders'],
};

export const EXAMPLE_PATCHES = {
  one: { prefix: '?' },
  another: { language: 'ja' },
  two: { language: 'ja', enabledFeatures: ['reminders'] },
  three: { beta: true, language: 'ja', enabledFeatures: ['reminders'] },
} as const;

export const EXAMPLE_DIFFERENCE: Difference = { revision: 42, changes: { prefix: { from: '!', to: '?' } } };

export const EXAMPLE_UNDO: Difference = { revision: 42, changes: { prefix: { from: '?', to: '!' } } };
