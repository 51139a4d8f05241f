/** UTF-16 code units of a message that a prefix can take: 20 code points, in any Unicode form. */
const MAX_LENGTH = 256;

const DASHES = /[\u2010-\u2013\u2212]/gu;
/** Phones write these for two hyphens. */
const LONG_DASHES = /[\u2014\u2015]/gu;
const VARIATION_SELECTORS = /[\ufe0e\ufe0f]/gu;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Returns the length of the prefix at the start of a message, in UTF-16 code units; `undefined`: the message does not start with it.
 * Case, width, Unicode form, variation selectors of emoji and typographic dashes, ellipses and spaces make no difference. Half of what
 * is compared does not match: `-` is not the start of the dash that a phone writes for `--`, which is the prefix of another bot.
 */
export function matchPrefix(content: string, prefix: string): number | undefined {
  const wanted = foldedPrefix(prefix);
  if (wanted === '') return content.startsWith(prefix) ? prefix.length : undefined;
  // Almost every message ends here: visible ASCII at the start of a grapheme stays there, in lower case.
  const first = content.charAt(0);
  if (isAscii(first) && isAscii(wanted.charAt(0)) && first.toLowerCase() !== wanted[0]) return undefined;
  let found = '';
  for (const { segment, index } of graphemes.segment(content.slice(0, MAX_LENGTH))) {
    found += folded(segment);
    if (found === wanted) return index + segment.length;
    if (!wanted.startsWith(found)) break;
  }
  // The last character of the prefix and the first of the command can be one grapheme.
  return content.startsWith(prefix) ? prefix.length : undefined;
}

/** Folded prefixes that are remembered: those of the guilds that write. */
const MAX_FOLDED = 1_000;

const foldedPrefixes = new Map<string, string>();

function foldedPrefix(prefix: string): string {
  const known = foldedPrefixes.get(prefix);
  if (known !== undefined) return known;
  let wanted = '';
  for (const { segment } of graphemes.segment(prefix)) wanted += folded(segment);
  if (foldedPrefixes.size >= MAX_FOLDED) foldedPrefixes.clear();
  foldedPrefixes.set(prefix, wanted);
  return wanted;
}

function isAscii(character: string): boolean {
  return character >= '!' && character <= '~';
}

function folded(grapheme: string): string {
  const plain = grapheme.replaceAll(VARIATION_SELECTORS, '').replaceAll(LONG_DASHES, '--').replaceAll(DASHES, '-');
  // Upper case first: it has one form for what has several in lower case, such as the Greek sigma.
  return plain.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKC').replaceAll(/\s/gu, ' ');
}
