/** Unicode's default-ignorable code points, which fonts do not show, including controls of the text direction. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;

/** An emoji with its presentation and skin tone. */
const EMOJI = '\\p{Extended_Pictographic}[\\uFE0E\\uFE0F]?\\p{Emoji_Modifier}?';

/** The flags of England, Scotland and Wales: regions as invisible tags. Other regions have no such flag. */
const REGIONS = ['gbeng', 'gbsct', 'gbwls'].map((region) =>
  [...region].map((letter) => `\\u{${(0xe0000 + letter.charCodeAt(0)).toString(16)}}`).join(''),
);

/** Scripts in which a joiner changes the form of adjacent letters: those with cursive letters or with half forms. */
const SCRIPTS = [
  ...['Arab', 'Syrc', 'Nkoo', 'Mong', 'Adlm', 'Rohg'],
  ...['Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr', 'Java', 'Bali'],
];

const LETTER = `(?!${IGNORABLE.source})(?=[\\p{L}\\p{M}])[${SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]`;

/**
 * The viramas of Indic scripts. A joiner after one shows a half form or the virama itself, even at the end of a word.
 */
const VIRAMA = '[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA]';

/**
 * The contexts in which a default-ignorable code point has a visible effect: emoji sequences, and letters that it joins
 * or separates.
 */
const SHOWN = new RegExp(
  [
    `\\u{1F3F4}(?:${REGIONS.join('|')})\\u{E007F}`,
    `${EMOJI}(?:\\u200D${EMOJI})*`,
    '[0-9#*]\\uFE0F\\u20E3',
    `${VIRAMA}[\\u200C\\u200D]`,
    `${LETTER}[\\u200C\\u200D](?=${LETTER})`,
  ].join('|'),
  'gu',
);

/**
 * Returns the first invisible character of a text, such as `U+200B`: a default-ignorable code point outside of emoji
 * sequences and of joiners between letters. Texts that only differ in such characters look the same.
 *
 * @see https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 * @see https://www.unicode.org/reports/tr51/#Emoji_Sequences
 */
export function invisibleIn(text: string): string | undefined {
  if (!IGNORABLE.test(text)) return undefined;
  const codePoint = IGNORABLE.exec(text.replace(SHOWN, ''))?.[0].codePointAt(0);
  return codePoint === undefined ? undefined : `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}
