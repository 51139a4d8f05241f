import { expect, test } from 'vitest';
import { type Markup, markupOf } from './discord-markup.ts';

/** Formats parts with their kinds in brackets. */
function written(parts: readonly Markup[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text;
      if ('parts' in part) return `[${part.kind} ${written(part.parts)}]`;
      const [, ...values] = Object.values(part);
      return `[${part.kind} ${values.join(' ')}]`;
    })
    .join('');
}

test.each([
  ['Hi {user}, **welcome** to *{server}*!', 'Hi [placeholder user], [bold welcome] to [italic [placeholder server]]!'],
  ['__under__ ~~strike~~ ||secret|| _it_', '[underline under] [strike strike] [spoiler secret] [italic it]'],
  ['***both*** and **bold *both* bold**', '[bold [italic both]] and [bold bold [italic both] bold]'],
  ['`**code**` ``a ` b``', '[code **code**] [code a ` b]'],
  ['```js\nlet a;\n```\nafter', '[block let a;]\nafter'],
  ['# Rules\n> quoted **text**\n- one\n- two\nend', '[heading Rules][quote quoted [bold text]][item one][item two]end'],
  [
    '<@123456789012345678> <#123456789012345678> <@&123456789012345678>',
    '[mention user 123456789012345678] [mention channel 123456789012345678] [mention role 123456789012345678]',
  ],
  [
    '@everyone <:wave:123456789012345678> <a:x_1:123456789012345678>',
    '[mention all @everyone] [emoji <:wave:123456789012345678>] [emoji <a:x_1:123456789012345678>]',
  ],
  ['snake_case_name 2 * 3 * 4 and ** and {not a name}', 'snake_case_name 2 * 3 * 4 and ** and {not a name}'],
  ['\\*plain\\* <b>html</b> <script>alert(1)</script>', '*plain* <b>html</b> <script>alert(1)</script>'],
  ['**open *both', '**open *both'],
  ['', ''],
])('shows %j as Discord does', (message, shown) => {
  expect(written(markupOf(message))).toBe(shown);
});

test.each(['*', '**', '_', '|', '`', '{', '<@', '~~ ', '> ', '\\'])(
  'reads 2,000 marks %j in no time that grows with their pairs',
  (mark) => {
    const message = mark.repeat(2_000).slice(0, 2_000);
    expect(written(markupOf(message)).length).toBeGreaterThan(0);
  },
);
