import type { WithoutComments } from '@guild-settings/i18n';
import type shared from '@guild-settings/i18n/locales/en-US/shared.json';
import type bot from './locales/en-US/bot.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    readonly defaultNS: 'bot';
    readonly resources: WithoutComments<{ readonly bot: typeof bot; readonly shared: typeof shared }>;
  }
}
