import type { texts as shared } from '@guild-settings/i18n/texts/en-us';
import type { texts as access } from './locales/access/en-us.ts';
import type { texts as common } from './locales/common/en-us.ts';
import type { texts as danger } from './locales/danger/en-us.ts';
import type { texts as history } from './locales/history/en-us.ts';
import type { texts as sessions } from './locales/sessions/en-us.ts';
import type { texts as settings } from './locales/settings/en-us.ts';
import type { texts as transfer } from './locales/transfer/en-us.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    readonly defaultNS: 'common';
    readonly resources: {
      readonly access: typeof access;
      readonly common: typeof common;
      readonly danger: typeof danger;
      readonly history: typeof history;
      readonly sessions: typeof sessions;
      readonly settings: typeof settings;
      readonly shared: typeof shared;
      readonly transfer: typeof transfer;
    };
  }
}
