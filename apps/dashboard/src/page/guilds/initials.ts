/** Returns the first characters of the first two words, as Discord shows them; one of a script whose characters are wider. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const first = words.slice(0, 2).map(firstOf);
  const shown = first.every((letter) => letter.length === 1) ? first.join('') : (first[0] ?? '');
  return shown.toUpperCase();
}

/** Without `Intl.Segmenter`, whose data takes a tenth of a second to load on a phone. */
function firstOf(word: string): string {
  const [found = ''] = PLAIN.exec(word) ?? CHARACTER.exec(word) ?? [];
  return found;
}

/** A character to which the next one adds nothing: there are no marks below U+0300. */
const PLAIN = /^[\0-\u02ff](?![\u0300-\uffff])/;

const FLAG = String.raw`\p{RI}{2}`;

const EMOJI = String.raw`\p{ExtPict}[\p{M}\p{EMod}\u{e0020}-\u{e007f}]*(?:\u200d\p{ExtPict}[\p{M}\p{EMod}]*)*`;

/** A letter with its marks; in Devanagari with those that are written as one with it. */
const LETTER = String.raw`(?:[\u0904-\u0939]\u093c?\u094d\u200d?)*[^]\p{M}*`;

const CHARACTER = new RegExp(`^(?:${FLAG}|${EMOJI}|${LETTER})`, 'u');
