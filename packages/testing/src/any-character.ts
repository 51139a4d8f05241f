import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

const MAX_CODE_POINT = 0x10_ffff;

/**
 * Any Unicode character, for the option `unit` of `fc.string`. Equivalent to the unit `binary` of fast-check, which
 * takes more than a second of CPU time per process to prepare: it maps every character back to its number.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat({ max: MAX_CODE_POINT - SURROGATES.count })
  .map(characterOf, numberOf);

function characterOf(number: number): string {
  return String.fromCodePoint(number < SURROGATES.from ? number : number + SURROGATES.count);
}

/** The inverse, used by fast-check for shrinking, and to recognise preferred texts such as `__proto__`. */
function numberOf(character: unknown): number {
  const [codePoint, ...others] = typeof character === 'string' ? [...character].map((one) => one.codePointAt(0)) : [];
  if (codePoint === undefined || others.length > 0) throw new TypeError('Expected one character');
  return codePoint < SURROGATES.from ? codePoint : codePoint - SURROGATES.count;
}
