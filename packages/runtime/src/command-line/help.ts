import type { OptionShape } from './option.ts';
import type { Program } from './program.ts';
import { nameOf } from './read-arguments.ts';

/** Returns the text that `--help` prints. */
export function helpOf({ summary, usage, options, notes }: Program<OptionShape>): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const { placeholder, description, isOperand } = option;
    const value = placeholder === undefined || isOperand ? '' : ` ${placeholder}`;
    return [`${nameOf(name, option)}${value}`, description] as const;
  });
  const all = [...rows, ['-h, --help', 'print this'] as const];
  const width = Math.max(...all.map(([left]) => left.length));
  const indented = (text: string) => text.replaceAll('\n', `\n${' '.repeat(width + 4)}`);
  const lines = all.map(([left, right]) => `  ${left.padEnd(width)}  ${indented(right)}`);
  const paragraphs = [summary, usage.map((line) => `  ${line}`).join('\n'), ['Options', ...lines].join('\n'), notes];
  return paragraphs.filter((paragraph) => paragraph !== undefined).join('\n\n');
}
