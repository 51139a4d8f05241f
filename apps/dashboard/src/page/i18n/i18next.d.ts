import type { WithoutComments } from '@guild-settings/i18n';
import type shared from '@guild-settings/i18n/locales/en-US/shared.json';
import type access from './locales/en-US/access.json';
import type common from './locales/en-US/common.json';
import type danger from './locales/en-US/danger.json';
import type history from './locales/en-US/history.json';
import type sessions from './locales/en-US/sessions.json';
import type settings from './locales/en-US/settings.json';
import type transfer from './locales/en-US/transfer.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    readonly defaultNS: 'common';
    readonly resources: WithoutComments<{
      readonly access: typeof access;
      readonly common: typeof common;
      readonly danger: typeof danger;
      readonly history: typeof history;
      readonly sessions: typeof sessions;
      readonly settings: typeof settings;
      readonly shared: typeof shared;
      readonly transfer: typeof transfer;
    }>;
  }
}
