import { parseArgs } from 'node:util';
import { StoryDiffersError } from './actors.ts';
import { setStage } from './stage.ts';
import { tellStory } from './story.ts';
import { type Line, lineText } from './transcript.ts';

const HELP = `Tells the story of guild-settings from end to end, against fresh data that is gone afterwards: a simulated
Discord, and the api and the bot as processes of their own, which are killed and come back.

  npx --yes pnpm@12 demo [--json] [--help]

It prints a transcript, with the milliseconds from the answer to each PATCH to the first time that the bot writes by it,
and exits 1 when any step comes out otherwise than it should.

Options
  --json      print a line of JSON for each thing that happens
  -h, --help  print this`;

try {
  const { values } = parseArgs({
    args: process.argv.slice(process.argv[2] === '--' ? 3 : 2),
    options: { help: { type: 'boolean', short: 'h', default: false }, json: { type: 'boolean', default: false } },
  });
  if (values.help) console.log(HELP);
  else await run(values.json);
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error;
  console.error(isUsage ? `${error.message}\n--help lists what there is.` : error);
  process.exitCode = isUsage ? 2 : 1;
}

async function run(json: boolean): Promise<void> {
  const started = performance.now();
  const uses: number[] = [];
  const tell = (line: Line) => {
    if (line.kind === 'first-use') uses.push(line.milliseconds);
    console.log(json ? JSON.stringify(line) : lineText(line));
  };
  await using stage = await setStage();
  const interrupt = async () => {
    await stage[Symbol.asyncDispose]();
    process.exit(130);
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    await tellStory(stage, tell);
  } catch (error) {
    if (!(error instanceof StoryDiffersError)) throw error;
    console.log(json ? JSON.stringify({ kind: 'differs', text: error.message }) : `\n✗ ${error.message}`);
    process.exitCode = 1;
    return;
  }
  const seconds = (performance.now() - started) / 1_000;
  const slowest = Math.max(...uses);
  const end = { kind: 'end', patches: uses.length, slowestFirstUse: slowest, seconds };
  const text = `\n✓ All as it should be: ${uses.length} PATCHes, each used within ${slowest.toFixed(0)} ms, in ${seconds.toFixed(1)} s.`;
  console.log(json ? JSON.stringify(end) : text);
}
