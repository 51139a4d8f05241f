import type { texts as shared } from '@guild-settings/i18n/texts/en-us';
import type { enUS } from './locales/en-us.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    readonly resources: { readonly translation: typeof enUS; readonly shared: typeof shared };
  }
}
