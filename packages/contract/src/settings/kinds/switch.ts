import { kind } from './kind.ts';

const TYPED: Readonly<Record<string, boolean>> = { on: true, off: false };

export const SWITCH = kind<'switch'>({
  type: 'boolean',
  control: 'switch',
  empty: false,
  flaws: () => [],
  parse: (typed, _options, words) => TYPED[words.wordOf(typed) ?? ''],
  keywords: () => ({}),
  maxBytes: () => 'false'.length,
});
