import { flag, runProgram, stopSignal } from '@guild-settings/command-line';
import { StoryDiffersError } from './actors.ts';
import { setStage } from './stage.ts';
import { tellStory } from './story.ts';
import { type Line, lineText } from './transcript.ts';

const PROGRAM = {
  summary: `Tells the story of guild-settings from end to end, against fresh data that is removed afterwards: a simulated Discord,
and the api and the bot as processes of their own, which are killed and restarted.

It prints a transcript, with the milliseconds from the response to each PATCH to the first message that the bot writes
with the new settings, and exits 1 when any step has another result than expected.`,
  usage: ['npx --yes pnpm@12 demo [--json] [--help]'],
  options: { json: flag('print a line of JSON for each event') },
};

await runProgram(PROGRAM, ({ json }) => run(json));

async function run(json: boolean): Promise<void> {
  const started = performance.now();
  const uses: number[] = [];
  const tell = (line: Line) => {
    if (line.kind === 'first-use') uses.push(line.milliseconds);
    console.log(json ? JSON.stringify(line) : lineText(line));
  };
  await using stage = await setStage();
  stopSignal({ second: 'end' }).addEventListener('abort', async () => {
    await stage[Symbol.asyncDispose]();
    process.exit(130);
  });
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
