import { expect, test } from 'vitest';
import { type MarkdownNode, parse } from '../page/markdown.js';

const shape = (nodes: readonly MarkdownNode[]): string =>
  nodes
    .map(({ type, text, id, url, children }) => `${type}(${children ? shape(children) : (url ?? text ?? id)})`)
    .join(' ');

test.each([
  ['plain <b>text</b>', 'text(plain <b>text</b>)'],
  ['**bold *both* ** *it*', 'bold(text(bold ) italic(text(both)) text( )) text( ) italic(text(it))'],
  ['__under__ ~~gone~~ ||hidden||', 'underline(text(under)) text( ) strike(text(gone)) text( ) spoiler(text(hidden))'],
  ['snake_case_name 2 * 3 * 4', 'text(snake_case_name 2 * 3 * 4)'],
  ['`**raw** <@1>` ``a ` b``', 'code(**raw** <@1>) text( ) code(a ` b)'],
  ['\\*not\\*', 'text(*) text(not) text(*)'],
  ['a\n```ts\n**b**\n```\nc', 'text(a) codeblock(**b**) text(c)'],
  ['```one```', 'codeblock(one)'],
  ['> q\n# h\n- i\n-# s', 'quote(text(q)) heading(text(h)) item(text(i)) subtext(text(s))'],
  ['<@12345678901234567>, <#12345678901234567>', 'user(12345678901234567) text(, ) channel(12345678901234567)'],
  ['(https://example.com/a_b).', 'text(() link(https://example.com/a_b) text().)'],
  ['[x](https://example.com) [y](javascript:alert(1))', 'link(https://example.com) text( [y](javascript:alert(1)))'],
])('reads %j', (text, expected) => {
  expect(shape(parse(text))).toBe(expected);
});

test('reads timestamps with and without a style', () => {
  expect(parse('<t:1700000000:R><t:1700000000>')).toStrictEqual([
    { type: 'timestamp', seconds: 1_700_000_000, style: 'R' },
    { type: 'timestamp', seconds: 1_700_000_000, style: 'f' },
  ]);
});

test.each(['*', '_', '**a', '||', '`', '[', '<@'])(
  'reads a long row of %j without trying every pair of its characters',
  (piece) => {
    const begun = process.cpuUsage();
    parse(piece.repeat(4_000 / piece.length));
    // CPU time: a fraction of the time for the pairs, let alone the triples.
    expect(process.cpuUsage(begun).user).toBeLessThan(10_000_000);
  },
);
