const MAX_DEPTH = 8;

/** The inline constructs by their first characters, in order of precedence. All are sticky. */
const INLINE = [
  ['\\', 'escape', /\\([^\p{L}\p{N}\s])/uy],
  ['`', 'code', /(?:``(.+?)``|`([^`]+)`)(?!`)/sy],
  ['*', 'bold', /\*\*(.+?)\*\*(?!\*)/sy],
  ['_', 'underline', /__(.+?)__(?!_)/sy],
  ['~', 'strike', /~~(.+?)~~/sy],
  ['|', 'spoiler', /\|\|(.+?)\|\|/sy],
  ['*', 'italic', /\*(?![\s*])(.+?)(?<![\s*])\*(?!\*)/sy],
  ['_', 'italic', /(?<![\p{L}\p{N}_])_(?![\s_])(.+?)(?<![\s_])_(?![\p{L}\p{N}_])/suy],
  ['<', 'user', /<@!?(\d{17,20})>/y],
  ['<', 'role', /<@&(\d{17,20})>/y],
  ['<', 'channel', /<#(\d{17,20})>/y],
  ['<', 'timestamp', /<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/y],
  ['<', 'command', /<\/([^:<>\n]{1,100}):\d{17,20}>/y],
  ['<', 'emoji', /<a?(:\w{2,32}:)\d{17,20}>/y],
  ['@', 'everyone', /(@everyone|@here)\b/y],
  ['[', 'link', /\[([^\]\n]+)\]\(<?(https?:\/\/[^\s)>]+)>?\)/y],
  ['<', 'url', /<(https?:\/\/[^\s<>]+)>/y],
  ['h', 'url', /(https?:\/\/[^\s<>]*[^\s<>.,:;"'!?)\]*_~|])/y],
];
const NESTING = new Set(['bold', 'underline', 'strike', 'spoiler', 'italic']);

const LINES = [
  ['quote', /^> (.*)$/],
  ['heading', /^#{1,3} (.+)$/],
  ['subtext', /^-# (.+)$/],
  ['item', /^\s*[-*] (.+)$/],
];

/**
 * Parses Discord's markdown to plain nodes `{ type, text?, children?, … }`. Text is never parsed as HTML.
 *
 * @see https://support.discord.com/hc/en-us/articles/210298617
 */
export function parse(text) {
  return text.split(/(```.+?```)/s).flatMap((part, index, parts) => {
    if (index % 2 === 1) return [{ type: 'codeblock', text: codeOf(part) }];
    // The line breaks around a code block belong to it.
    const before = index > 0 ? part.replace(/^\n/, '') : part;
    return lines(index < parts.length - 1 ? before.replace(/\n$/, '') : before);
  });
}

function codeOf(fenced) {
  const inner = fenced.slice(3, -3);
  return inner.replace(/^[\w+-]*\n(?=.)/s, '').replace(/\n$/, '');
}

function lines(text) {
  const nodes = [];
  let plain = [];
  const flush = () => {
    if (plain.length > 0) nodes.push(...inline(plain.join('\n')));
    plain = [];
  };
  for (const line of text === '' ? [] : text.split('\n')) {
    const [type, pattern] = LINES.find(([, candidate]) => candidate.test(line)) ?? [];
    if (type === undefined) {
      plain.push(line);
      continue;
    }
    flush();
    nodes.push({ type, children: inline(pattern.exec(line)[1]) });
  }
  flush();
  return nodes;
}

function inline(text, depth = 0) {
  const nodes = [];
  let plain = '';
  for (let at = 0; at < text.length; ) {
    const found = depth < MAX_DEPTH ? constructAt(text, at, depth) : null;
    if (found === null) {
      plain += text[at];
      at += 1;
      continue;
    }
    if (plain !== '') nodes.push({ type: 'text', text: plain });
    plain = '';
    nodes.push(found.node);
    at = found.end;
  }
  if (plain !== '') nodes.push({ type: 'text', text: plain });
  return nodes;
}

function constructAt(text, at, depth) {
  for (const [first, type, pattern] of INLINE) {
    if (text[at] !== first) continue;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return { node: node(type, match, depth), end: at + match[0].length };
  }
  return null;
}

function node(type, [, first, second], depth) {
  if (NESTING.has(type)) return { type, children: inline(first, depth + 1) };
  switch (type) {
    case 'escape':
      return { type: 'text', text: first };
    case 'code':
      return { type, text: first ?? second };
    case 'timestamp':
      return { type, seconds: Number(first), style: second ?? 'f' };
    case 'link':
      return { type: 'link', text: first, url: second };
    case 'url':
      return { type: 'link', text: first, url: first };
    case 'user':
    case 'role':
    case 'channel':
      return { type, id: first };
    default:
      return { type, text: first };
  }
}
