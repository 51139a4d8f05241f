import type { enUS } from './locales/en-us.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    readonly resources: { readonly translation: typeof enUS };
  }
}
