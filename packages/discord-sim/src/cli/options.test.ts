import { expect, test } from 'vitest';
import { HELP, readOptions } from './command-line.ts';

test('every option has a default', () => {
  const defaults = { host: '127.0.0.1', port: 3001, worldPath: null, redirectUris: [], isJson: false };
  expect(readOptions([])).toStrictEqual(defaults);
});

test('every option is in the help', () => {
  const args = ['--port=0', '--host=[::1]', '--world=w.json', '--redirect-uri=a:b', '--redirect-uri=c:d', '--json'];
  const given = { host: '::1', port: 0, worldPath: 'w.json', redirectUris: ['a:b', 'c:d'], isJson: true };
  expect(readOptions(args)).toStrictEqual(given);
  for (const arg of args) expect(HELP).toContain(arg.split('=')[0]);
});

test.each([[['--help']], [['-h']], [['--', '--help']]])('%j asks for the help', (args) => {
  expect(readOptions(args)).toBeNull();
});

test.each([
  [['--colour'], "Unknown option '--colour'"],
  [['--port', '65536'], 'Expected a port from 0 to 65535 for --port, received "65536".'],
  [['--port', '1e3'], 'received "1e3"'],
  [['--world'], '--world'],
  [['extra'], 'extra'],
])('%j is refused with exit code 2', (args, message) => {
  const refused = { exitCode: 2, message: expect.stringContaining(message) };
  expect(() => readOptions(args)).toThrow(expect.objectContaining(refused));
});
