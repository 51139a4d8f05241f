import { code } from '../i18n/text.ts';
import type { CommandPath } from './command-texts.ts';
import { nameOf, textsOf } from './command-texts.ts';
import type { Invocation } from './invocation.ts';
import type { Option, OptionSet } from './options.ts';

/** Returns how an action is typed, as code: `!settings set <setting> <value>`. */
export function usageOf(invocation: Invocation, path: CommandPath, options: OptionSet): string {
  const texts = textsOf(invocation.translator.language, path).options ?? {};
  const placeholders = Object.entries(options).map(([name, option]) => placeholder(texts[name]?.name ?? name, option));
  const name = nameOf(invocation, path).slice(1, -1);
  return code([name, ...placeholders].join(' '));
}

function placeholder(name: string, option: Option): string {
  if (option.kind === 'text' && option.takes === 'named') return `[--${name}=…]`;
  return option.required ? `<${name}>` : `[${name}]`;
}
