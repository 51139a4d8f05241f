import type { Question, Wire } from '../cluster/wire.ts';
import type { Random } from '../random.ts';
import { type Fault, some } from './fault.ts';

export interface WireFaultsOptions {
  /** What a report calls the wire. */
  readonly name: string;
  readonly target: string;
  readonly wire: Wire;
  /** Marks what answers are lost to, on all of these wires. */
  readonly losing: { readonly question: Question; readonly wires: readonly Wire[] };
}

/** Milliseconds, so that sometimes whoever asked has given up before. */
const GONE = { least: 2_000, most: 9_000 };

/** Ways in which a wire can fail. */
export function wireFaults({ name, target, wire, losing }: WireFaultsOptions): Fault[] {
  const fault = (kind: string, inflict: (random: Random) => Promise<void>): Fault => ({
    name: `${name} ${kind}`,
    target,
    inflict: (_cluster, random) => inflict(random),
  });
  return [
    fault('cut', async (random) => {
      for (let times = random.between(1, 4); times > 0; times--) {
        wire.cut();
        await some(random, 50, 400);
      }
    }),
    fault('delayed', async (random) => {
      wire.delay(random.between(30, 400));
      await some(random, 500, 1_500);
      wire.delay(0);
    }),
    fault('half closed', async (random) => {
      wire.halfClose(random.pick(['to server', 'to client']));
      await some(random, 100, 500);
    }),
    fault('losing answers', async (random) => {
      const times = random.between(2, 12);
      for (const one of losing.wires) one.loseAnswers(losing.question, times);
      await some(random, 500, 1_500);
      for (const one of losing.wires) one.loseAnswers(losing.question, 0);
    }),
    fault('losing an answer, then gone', async (random) => {
      wire.loseAnswers(losing.question, 1, 'then gone');
      await some(random, GONE.least, GONE.most);
      wire.mend();
    }),
  ];
}
