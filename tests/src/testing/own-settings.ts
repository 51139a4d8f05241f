import { type Declaration, defineSettings } from '@guild-settings/contract/settings';

const label = (text: string) => ({ 'en-US': text });

/** A label with what would be markup, a mention, a placeholder and a text from right to left. */
export const STRANGE = '**<b>** <@1> @everyone {{x}} שלום';

/** A declaration with each kind, single and as a list, in groups. */
export const EVERY_KIND: Declaration = defineSettings({
  groups: {
    welcome: { label: { 'en-US': 'Welcome', ru: 'Приветствие' }, enabledBy: 'welcomeOn' },
    strange: { label: label(STRANGE), description: label(`<script>alert(1)</script> ${STRANGE}`) },
  },
  features: { music: { label: label('Music *and* more') }, polls: { label: label('Polls') } },
  settings: {
    welcomeOn: { kind: 'switch', group: 'welcome', label: { 'en-US': 'Greet new members', ru: 'Встречать' } },
    greeting: {
      kind: 'text',
      lines: 'many',
      max: 2_000,
      default: 'Hello, {user}!',
      group: 'welcome',
      label: label('Greeting'),
      description: label('{user} is replaced by a mention of the new member.'),
    },
    signature: { kind: 'text', max: 40, default: 'none', group: 'strange', label: label(STRANGE) },
    xpRate: { kind: 'integer', min: 0, max: 100, default: 5, unit: '%', label: label('Experience rate') },
    cooldown: { kind: 'duration', min: 0, max: 86_400, default: 60, label: label('Cooldown') },
    logLevel: {
      kind: 'choice',
      choices: { off: label('Nothing'), errors: label('Errors'), all: label('Everything') },
      default: 'off',
      label: label('Log level'),
    },
    logChannel: { kind: 'channel', types: ['text'], label: label('Log channel') },
    helper: { kind: 'role', label: label('Helper role') },
    words: { kind: 'text', max: 20, many: { max: 3 }, label: label('Blocked words') },
    rates: { kind: 'integer', min: 1, max: 9, many: { max: 3 }, label: label('Rates') },
    waits: { kind: 'duration', min: 1, max: 86_400, many: { max: 3 }, label: label('Waits') },
    levels: {
      kind: 'choice',
      choices: { one: label('First'), two: label('Second') },
      many: { max: 2 },
      label: label('Levels'),
    },
    channels: { kind: 'channel', many: { max: 3 }, label: label('Ignored channels') },
    roles: { kind: 'role', many: { max: 3 }, label: label('Own roles') },
    premium: { kind: 'switch', default: false, setBy: 'application', label: label('Premium') },
  },
});
