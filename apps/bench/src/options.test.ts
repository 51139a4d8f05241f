import { readArguments, UsageError } from '@guild-settings/command-line';
import { expect, test } from 'vitest';
import { commandOf, PROGRAM } from './options.ts';
import type { Row } from './row.ts';

const ROWS = ['rest-get', 'rest-get-stock', 'rest-304', 'start-api', 'start-bot', 'scale'].map(
  (id): Row => ({
    id,
    what: id,
    unit: 'ms',
    goal: { is: 'at most', ratio: 1 },
    measure: async () => ({ ours: 1, peers: {} }),
  }),
);

function read(args: readonly string[]) {
  const options = readArguments(PROGRAM.options, args);
  return options && commandOf(options, ROWS);
}

test('everything is measured in full unless it is asked otherwise, and a leading -- is skipped', () => {
  expect(read(['--'])).toEqual({
    run: 'measure',
    rows: ROWS,
    profile: 'full',
    json: undefined,
    svg: undefined,
    compare: false,
  });
  expect(read(['--quick', '--json', '-', '--compare', '--svg', 'plot.svg'])).toMatchObject({
    profile: 'quick',
    json: '-',
    svg: 'plot.svg',
    compare: true,
  });
  expect(read(['-h', '--quick'])).toBeNull();
  expect(read(['--', '--docs'])).toEqual({ run: 'docs' });
});

test.each([
  [['rest-get'], ['rest-get']],
  [['start'], ['start-api', 'start-bot']],
  [['rest'], ['rest-get', 'rest-get-stock', 'rest-304']],
  [['scale,rest-304'], ['rest-304', 'scale']],
  [
    ['start', 'start-bot, scale'],
    ['start-api', 'start-bot', 'scale'],
  ],
])('--only %j selects %j', (only, ids) => {
  const command = read(only.flatMap((one) => ['--only', one]));
  expect(command?.run === 'measure' && command.rows.map(({ id }) => id)).toEqual(ids);
});

test.each(['nothing', 'rest-', 'sta', '', 'scale,', 'scale,nothing'])('--only %j is refused with the ids', (only) => {
  const refused = () => read(['--only', only]);
  expect(refused).toThrow(UsageError);
  expect(refused).toThrow('rest-get, rest-get-stock, rest-304, start-api, start-bot, scale');
});

test.each([[['--what']], [['extra']], [['--json']], [['--svg', '-']], [['--docs', '--quick']], [['--quick=yes']]])(
  '%j is refused',
  (args) => {
    expect(() => read(args)).toThrow(UsageError);
  },
);
