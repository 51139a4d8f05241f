import { choice, flag, integer, optional, text, withDefault } from '@guild-settings/runtime/command-line';

export const PROGRAM = {
  summary: `Tortures the service: api processes and a bot under load, while processes are killed and stopped, connections are
cut, disks run full, clocks are stepped and Discord fails. Then it checks every guarantee.

It exits 1 when a guarantee was broken, and prints how to repeat the run.`,
  usage: ['npx --yes pnpm@12 torture [--store sqlite|postgres] [--rounds N] [--seed S] [--json] [--help]'],
  options: {
    store: withDefault(
      choice('sqlite', 'postgres'),
      'sqlite',
      'sqlite: one process and a file; postgres: four processes and a server',
    ),
    rounds: withDefault(integer, 20, 'the number of rounds with one to three faults at a time'),
    seed: optional(integer, 'repeats the random choices of another run, not its timing'),
    api: optional(text('FILE'), "another build of the api's main.js, such as one with a known fault"),
    json: flag('print one line of JSON'),
  },
  notes: `To fill a disk it mounts a small one, which takes root. Without root that fault is left out, and the report notes it.`,
};
