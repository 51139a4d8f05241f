import { expect, test } from 'vitest';
import { readOptions, UsageError } from './options.ts';
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

test('everything is measured in full unless it is asked otherwise, and a leading -- is skipped', () => {
  expect(readOptions(['--'], ROWS)).toEqual({
    run: 'measure',
    rows: ROWS,
    profile: 'full',
    json: undefined,
    svg: undefined,
    compare: false,
  });
  expect(readOptions(['--quick', '--json', '-', '--compare', '--svg', 'plot.svg'], ROWS)).toMatchObject({
    profile: 'quick',
    json: '-',
    svg: 'plot.svg',
    compare: true,
  });
  expect(readOptions(['-h', '--quick'], ROWS)).toEqual({ run: 'help' });
  expect(readOptions(['--', '--docs'], ROWS)).toEqual({ run: 'docs' });
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
  const command = readOptions(
    only.flatMap((one) => ['--only', one]),
    ROWS,
  );
  expect(command.run === 'measure' && command.rows.map(({ id }) => id)).toEqual(ids);
});

test.each(['nothing', 'rest-', 'sta', '', 'scale,', 'scale,nothing'])('--only %j is refused with the ids', (only) => {
  const read = () => readOptions(['--only', only], ROWS);
  expect(read).toThrow(UsageError);
  expect(read).toThrow('rest-get, rest-get-stock, rest-304, start-api, start-bot, scale');
});

test.each([[['--what']], [['extra']], [['--json']], [['--svg', '-']], [['--docs', '--quick']], [['--quick=yes']]])(
  '%j is refused',
  (args) => {
    expect(() => readOptions(args, ROWS)).toThrow(UsageError);
  },
);
