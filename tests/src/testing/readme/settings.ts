import { defineSettings } from '@guild-settings/replica';

export const settings = defineSettings({
  settings: {
    volume: { kind: 'integer', min: 0, max: 200, default: 50, label: { 'en-US': 'Volume', ja: '音量' } },
  },
});
