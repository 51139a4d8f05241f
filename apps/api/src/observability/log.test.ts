import { expect, test } from 'vitest';
import { loggedPath } from './log.ts';

test.each([
  ['/guilds/197038439483310086', '/guilds/197038439483310086'],
  ['/trpc/guilds.get,guilds.update?batch=1', '/trpc/guilds.get,guilds.update'],
  ['/docs/js/scalar.js?v=2jmj7l5rSw0yVb_v', '/docs/js/scalar.js'],
  ['/guilds/6qrZcUqja7812RVdnEKjpzOL4CvHBFG', '/guilds/[redacted]'],
  ['/Bearer%206qrZcUqja7812RVdnEKjpzOL4CvHBFG', '/[redacted]'],
  ['/6qrZcUqja7812RVd/x', '/[redacted]/x'],
  ['/?token=6qrZcUqja7812RVdnEKjpzOL4CvHBFG', '/'],
  [`/${'a/'.repeat(1_000)}`, '/a/a/a/a/a/a/a/...'],
])('%s is logged as %s', (url, path) => {
  expect(loggedPath(url)).toBe(path);
});
