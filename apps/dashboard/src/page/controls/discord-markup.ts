/** A part of a message in Discord's display. */
export type Markup =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code' | 'block'; readonly text: string }
  | { readonly kind: 'placeholder'; readonly name: string }
  | { readonly kind: 'emoji'; readonly emoji: string }
  | { readonly kind: 'mention'; readonly of: 'user' | 'role' | 'channel' | 'all'; readonly id: string }
  | { readonly kind: 'heading' | 'quote' | 'item' | Style; readonly parts: readonly Markup[] };

type Style = 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler';

/** The marks around a text; longer marks come before their own prefixes. */
const STYLES: readonly (readonly [mark: string, style: Style])[] = [
  ['**', 'bold'],
  ['__', 'underline'],
  ['~~', 'strike'],
  ['||', 'spoiler'],
  ['*', 'italic'],
  ['_', 'italic'],
];

const BLOCK = /^```(?:[\w+-]+\n)?\n?([\s\S]+?)\n?```/;
const CODE = /^(`{1,2})(?!`)([\s\S]+?)(?<!`)\1(?!`)/;
const PLACEHOLDER = /^\{([\p{L}_][\p{L}\p{N}_.-]{0,63})\}/u;
const EMOJI = /^<a?:\w{1,32}:\d{17,20}>/;
const MENTION = /^<(@!?|@&|#)(\d{17,20})>/;
const ALL = /^@(everyone|here)/;
const ESCAPED = /^\\([^\p{L}\p{N}\s])/u;
const LINE = /^(?:(#{1,3} )|(> )|( *[-*] ))/;

const MENTIONED = { '@': 'user', '@!': 'user', '@&': 'role', '#': 'channel' } as const;

/**
 * Parses a message as displayed by Discord. Everything except marks is text.
 * @see https://support.discord.com/hc/en-us/articles/210298617-Markdown-Text-101-Chat-Formatting-Bold-Italic-Underline
 */
export function markupOf(message: string): readonly Markup[] {
  return joined(parsed(message, true));
}

function parsed(text: string, isStart: boolean): readonly Markup[] {
  const parts: Markup[] = [];
  let isLineStart = isStart;
  for (let rest = text; rest !== ''; ) {
    const [part, length] =
      (isLineStart ? lineAt(rest) : undefined) ?? partAt(rest, text[text.length - rest.length - 1]);
    parts.push(part);
    isLineStart = rest[length - 1] === '\n';
    rest = rest.slice(length);
  }
  return parts;
}

type Found = readonly [part: Markup, length: number];

/** Returns the heading, quote or list item at the start of a line. */
function lineAt(rest: string): Found | undefined {
  const [mark = '', heading, quote] = LINE.exec(rest) ?? [];
  const end = rest.indexOf('\n');
  const line = rest.slice(mark.length, end === -1 ? undefined : end);
  if (mark === '' || line.trim() === '') return undefined;
  const kind = heading !== undefined ? 'heading' : quote !== undefined ? 'quote' : 'item';
  return [{ kind, parts: joined(parsed(line, false)) }, mark.length + line.length + (end === -1 ? 0 : 1)];
}

function partAt(rest: string, before: string | undefined): Found {
  return codeAt(rest) ?? referenceAt(rest) ?? styledAt(rest, before) ?? [{ kind: 'text', text: rest.slice(0, 1) }, 1];
}

function codeAt(rest: string): Found | undefined {
  const [block, blockText] = BLOCK.exec(rest) ?? [];
  if (block !== undefined && blockText !== undefined) return [{ kind: 'block', text: blockText }, block.length];
  const [code, , text] = CODE.exec(rest) ?? [];
  return code === undefined || text === undefined ? undefined : [{ kind: 'code', text: text.trim() }, code.length];
}

function referenceAt(rest: string): Found | undefined {
  const [escaped, sign] = ESCAPED.exec(rest) ?? [];
  if (escaped !== undefined && sign !== undefined) return [{ kind: 'text', text: sign }, escaped.length];
  const [placeholder, name] = PLACEHOLDER.exec(rest) ?? [];
  if (placeholder !== undefined && name !== undefined) return [{ kind: 'placeholder', name }, placeholder.length];
  const [emoji] = EMOJI.exec(rest) ?? [];
  if (emoji !== undefined) return [{ kind: 'emoji', emoji }, emoji.length];
  const [all] = ALL.exec(rest) ?? [];
  if (all !== undefined) return [{ kind: 'mention', of: 'all', id: all }, all.length];
  const [mention, mark, id] = MENTION.exec(rest) ?? [];
  if (mention === undefined || mark === undefined || id === undefined) return undefined;
  return [{ kind: 'mention', of: MENTIONED[mark as keyof typeof MENTIONED], id }, mention.length];
}

function styledAt(rest: string, before: string | undefined): Found | undefined {
  for (const [mark, kind] of STYLES) {
    if (!rest.startsWith(mark)) continue;
    // A name such as snake_case_name is not italic.
    if (mark === '_' && before !== undefined && /[\p{L}\p{N}]/u.test(before)) continue;
    const end = endOf(rest, mark);
    if (end === undefined) continue;
    const inner = rest.slice(mark.length, end);
    return [{ kind, parts: joined(parsed(inner, false)) }, end + mark.length];
  }
  return undefined;
}

/** Returns the end of the mark at the start of a text; undefined: not closed, or empty. */
function endOf(rest: string, mark: string): number | undefined {
  for (let at = rest.indexOf(mark, mark.length + 1); at !== -1; at = rest.indexOf(mark, at + 1)) {
    const [first = '', last = ''] = [rest.at(mark.length), rest.at(at - 1)];
    // A single mark must not be part of a double one, and must be next to a letter.
    const isOfAnother = mark.length === 1 && (rest[at + 1] === mark || rest[at - 1] === mark);
    const isApart = mark === '*' && (/\s/.test(first) || /\s/.test(last));
    const isInWord = mark === '_' && /[\p{L}\p{N}]/u.test(rest.at(at + 1) ?? '');
    // `***both***` ends with the last of its marks.
    const end = mark.length === 2 && rest[at + 2] === mark[0] && rest[at + 3] !== mark[0] ? at + 1 : at;
    if (!isOfAnother && !isApart && !isInWord && last !== '\\') return end;
  }
  return undefined;
}

/** Joins adjacent texts. */
function joined(parts: readonly Markup[]): readonly Markup[] {
  const all: Markup[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (part.kind === 'text' && last?.kind === 'text') all.splice(-1, 1, { kind: 'text', text: last.text + part.text });
    else all.push(part);
  }
  return all;
}
