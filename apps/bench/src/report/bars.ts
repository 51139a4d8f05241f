import { columns } from './columns.ts';
import { short } from './numbers.ts';

const WIDTH = 40;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** Formats named values as bars. The largest has the full width; the smallest visible bar is an eighth of a character. */
export function bars(values: readonly (readonly [name: string, value: number])[]): string {
  const largest = Math.max(...values.map(([, value]) => value).filter(Number.isFinite));
  return columns(
    [{ name: '' }, { name: '', align: 'right' }, { name: '' }],
    values.map(([name, value]) => [`  ${name}`, short(value), bar(value / largest)]),
  ).replace(/^\n/, '');
}

function bar(share: number): string {
  if (!(share > 0 && share <= 1)) return '';
  const eighths = Math.max(1, Math.round(share * WIDTH * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}
