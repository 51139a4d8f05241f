import { flag, runProgram, stopSignal } from '@guild-settings/runtime/command-line';
import type { TranscriptLine } from './users.ts';

const PROGRAM = {
  summary: `Shows guild-settings from end to end, on empty files that are deleted afterwards: a simulated Discord, and the api and
the bot as processes, which are killed and restarted.

It prints a transcript, with the milliseconds from the response to each change to the first message that the bot writes
with the new settings, and exits 1 when any step has another result than expected.`,
  usage: ['npx --yes pnpm@12 demo [--json] [--help]'],
  options: { json: flag('print a line of JSON for each event') },
};

const MAX_BODY_CHARACTERS = 120;

await runProgram(PROGRAM, ({ json }) => run(json));

async function run(json: boolean): Promise<void> {
  // Loading the api and the bot takes a second or more, which --help does not need.
  const [{ runScenario }, { startDemoServices }, { UnexpectedResultError }] = await Promise.all([
    import('./scenario.ts'),
    import('./services.ts'),
    import('./users.ts'),
  ]);
  const started = performance.now();
  const uses: number[] = [];
  const write = (line: TranscriptLine) => {
    if (line.kind === 'first-use') uses.push(line.milliseconds);
    console.log(json ? JSON.stringify(line) : lineText(line));
  };
  await using services = await startDemoServices();
  stopSignal({ second: 'end' }).addEventListener('abort', async () => {
    await services[Symbol.asyncDispose]();
    process.exit(130);
  });
  try {
    await runScenario(services, write);
  } catch (error) {
    if (!(error instanceof UnexpectedResultError)) throw error;
    console.log(json ? JSON.stringify({ kind: 'differs', text: error.message }) : `\n✗ ${error.message}`);
    process.exitCode = 1;
    return;
  }
  const seconds = (performance.now() - started) / 1_000;
  const slowest = Math.max(...uses);
  const end = { kind: 'end', changes: uses.length, slowestFirstUse: slowest, seconds };
  const text = `\n✓ All as expected: ${uses.length} changes, each used within ${slowest.toFixed(0)} ms, in ${seconds.toFixed(1)} s.`;
  console.log(json ? JSON.stringify(end) : text);
}

function lineText(line: TranscriptLine): string {
  switch (line.kind) {
    case 'chapter':
      return `\n${line.title}`;
    case 'said': {
      const [first = '', ...others] = line.text.split('\n');
      const indent = ' '.repeat(line.who.length + 4);
      return [`  ${line.who}: ${first}`, ...others.map((text) => `${indent}${text}`)].join('\n');
    }
    case 'request': {
      const body = line.body === undefined ? '' : ` ${shortened(JSON.stringify(line.body))}`;
      return `  ${line.role}: ${line.method} ${line.path}${body} -> ${line.status}${line.arrival === undefined ? '' : `, ${line.arrival}`}`;
    }
    case 'first-use':
      return `  (${line.what}: used by the bot ${line.milliseconds.toFixed(1)} ms after the response)`;
    case 'event':
      return `  * ${line.text}`;
  }
}

function shortened(text: string): string {
  return text.length > MAX_BODY_CHARACTERS ? `${text.slice(0, MAX_BODY_CHARACTERS)}...` : text;
}
