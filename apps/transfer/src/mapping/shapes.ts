import { Ambiguous, colorOfNumber, type Setting } from '@guild-settings/contract';
import { isContainer } from './paths.ts';

type Control = Setting['kind']['control'];

/** Values that programs write in a shape of their own, as the text or the value that the setting has. Others are returned as they are. */
const SHAPES: Readonly<Partial<Record<Control, (value: unknown) => unknown>>> = {
  switch: (value) => (value === 1 || value === 0 ? value === 1 : value),
  choice: (value) => (typeof value === 'number' ? String(value) : value),
  // A text that is the only one of its list.
  text(value) {
    const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
    return typeof only === 'number' ? String(only) : only;
  },
  color: colorOf,
  emoji: emojiOf,
};

export function shapeOf({ kind }: Setting, value: unknown): unknown {
  return SHAPES[kind.control]?.(value) ?? value;
}

/**
 * Returns a color of discord.js: a number, also as a text, or an array of red, green and blue. Digits that are read as a number
 * and as hexadecimal digits are ambiguous.
 * @see https://discord.js.org/docs/packages/discord.js/main/ColorResolvable:TypeAlias
 */
function colorOf(value: unknown): unknown {
  if (typeof value === 'number') return colorOfNumber(value);
  if (typeof value === 'string') {
    const digits = value.trim();
    const number = /^\d{1,8}$/.test(digits) ? colorOfNumber(Number(digits)) : undefined;
    if (number === undefined) return value;
    const isHex = digits.length === 3 || digits.length === 6;
    return isHex && Number(digits) !== 0 ? new Ambiguous([`#${digits}`, number]) : number;
  }
  const parts = rgbOf(value);
  const isColor = parts?.length === 3 && parts.every((part) => Number.isInteger(part) && part >= 0 && part <= 255);
  return isColor ? colorOfNumber(parts.reduce((sum, part) => sum * 256 + part, 0)) : value;
}

function rgbOf(value: unknown): number[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isContainer(value) || Object.keys(value).length !== 3) return undefined;
  return ['r', 'g', 'b'].map((name) => Reflect.get(value, name));
}

/** Returns an emoji as Discord writes it in messages: from `name:id`, or from an object of discord.js. */
function emojiOf(value: unknown): unknown {
  if (typeof value === 'string') return value.trim().replace(/^<?(?:(a):|:)?(\w{2,32}):(\d{17,20})>?$/, '<$1:$2:$3>');
  if (!isContainer(value)) return value;
  const { id, name, animated } = value as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string') return value;
  if (id === null || id === undefined) return name;
  return typeof id === 'string' ? `<${animated === true ? 'a' : ''}:${name}:${id}>` : value;
}
