import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.ts';
import type { Random } from '../random.ts';
import type { OperationInput } from './clients.ts';
import type { Recorder } from './recorder.ts';

const WRITERS = 16;
const READERS = 4;

/** The pause of a writer after a failed request, and of a reader after every request. */
const WRITER_PAUSE_MS = 50;
const READER_PAUSE_MS = 4;

/** Shares of the changes that restore values. */
const UNDO_PROBABILITY = 0.15;
const RESTORE_PROBABILITY = 0.05;

/** Shares of the changes of guilds that may be erased: an erasure, and one of any revision or of an older one. */
const ERASE_PROBABILITY = 0.1;
const ERASE_ANY_PROBABILITY = 0.2;
const ERASE_OLDER_PROBABILITY = 0.2;

const SWITCH_PROBABILITY = 0.15;
const SWITCH_PAIR_PROBABILITY = 0.5;

/** The features of each guild that are switched. Few, so that a switch often has no effect. */
const FEATURES = ['polls', 'quotes', 'reminders', 'tags', 'welcome', 'xp'];

const WAIT_PROBABILITY = 0.1;

/**
 * Share of the changes that are sent together with an undo of the previous change, so that both are decided at the same
 * time.
 */
const RACE_PROBABILITY = 0.1;

/** Shares of the reads that are of the past. */
const HISTORY_PROBABILITY = 0.1;
const PAST_PROBABILITY = 0.1;

const EXPECTED: readonly string[] = ['revision-mismatch', 'later-change', 'revision-unknown'];

/** Chooses a recent change of the guild to undo, or a revision to restore; neither for most changes. */
function putBack(changes: readonly number[], random: Random): { readonly undo?: number; readonly restore?: number } {
  if (changes.length === 0) return {};
  if (random.chance(UNDO_PROBABILITY)) return { undo: random.pick(changes.slice(-2)) };
  return random.chance(RESTORE_PROBABILITY) ? { restore: random.pick(changes) } : {};
}

/** Chooses the precondition of an erasure: any revision, an older one, or the present one. */
function conditionOf(current: number, changes: readonly number[], random: Random): { readonly ifMatch?: number } {
  if (random.chance(ERASE_ANY_PROBABILITY)) return {};
  if (changes.length > 0 && random.chance(ERASE_OLDER_PROBABILITY)) return { ifMatch: random.pick(changes) };
  return { ifMatch: current };
}

export function startLoad({ guilds, erasable, apis }: Cluster, recorder: Recorder, random: Random) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const route = (own: Random) => ({
    transport: own.chance(0.6) ? ('rest' as const) : ('trpc' as const),
    process: own.between(0, apis.length - 1),
  });
  /** Returns a writer's next operations: a change, or a change with a simultaneous undo of the previous one. */
  const next = (mark: string, own: Random): OperationInput[] => {
    const guild = own.pick(guilds);
    const [current, changes] = [recorder.current(guild), recorder.changes(guild)];
    const waits = own.chance(WAIT_PROBABILITY);
    if (erasable.has(guild) && own.chance(ERASE_PROBABILITY))
      return [{ guild, erase: true, waits, ...conditionOf(current, changes, own) }];
    const ifMatch = own.chance(0.4) && current;
    const condition = ifMatch !== false && { ifMatch };
    if (own.chance(SWITCH_PROBABILITY)) {
      const names = own.shuffled(FEATURES).slice(0, own.chance(SWITCH_PAIR_PROBABILITY) ? 2 : 1);
      return names.map((name) => ({
        guild,
        mark: `${mark}-${name}`,
        feature: { name, isEnabled: own.chance(0.6) },
        waits,
        // Of two with the same precondition, one would be refused.
        ...(names.length === 1 && condition),
      }));
    }
    const [newest] = changes.slice(-1);
    if (newest !== undefined && own.chance(RACE_PROBABILITY))
      return own.shuffled([
        { guild, mark },
        { guild, mark: `${mark}-undo`, undo: newest },
      ]);
    return [{ guild, mark, waits, ...putBack(changes, own), ...condition }];
  };
  const write = async (name: number, own: Random) => {
    for (let count = 0; !signal.aborted; count++) {
      const at = route(own);
      const sent = await Promise.all(next(`w${name}-${count}`, own).map((input) => recorder.run(at, input)));
      const isExpected = sent.every(
        ({ outcome }) => outcome.kind === 'ok' || (outcome.kind === 'refused' && EXPECTED.includes(outcome.why)),
      );
      if (!isExpected) await delay(WRITER_PAUSE_MS);
    }
  };
  const read = async (own: Random) => {
    while (!signal.aborted) {
      const [{ process }, guild] = [route(own), own.pick(guilds)];
      const changes = recorder.changes(guild);
      if (own.chance(HISTORY_PROBABILITY))
        await recorder.readHistory(process, guild, { limit: own.between(1, 4), count: own.between(1, 3) });
      else if (changes.length > 0 && own.chance(PAST_PROBABILITY))
        await recorder.readPast(process, guild, own.pick(changes));
      else await recorder.run(route(own), { guild });
      await delay(READER_PAUSE_MS);
    }
  };
  const running = [
    ...Array.from({ length: WRITERS }, (_, name) => write(name, random.fork())),
    ...Array.from({ length: READERS }, () => read(random.fork())),
  ];
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
