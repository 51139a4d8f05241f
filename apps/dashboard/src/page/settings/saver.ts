import type { Guild, Problem, ProblemIssue } from '@guild-settings/contract';
import { revisionOf as revisionIn } from '@guild-settings/contract/constants';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Dispatch, SetStateAction } from 'react';
import { changesOf, type Draft, received, refused, saved, sent, undone, viewOf } from '../draft/draft.ts';
import type { DraftStore } from '../draft/draft-store.ts';
import {
  type DraftField,
  type Field,
  type FieldChangedBy,
  fieldOf,
  type Theirs,
  theirsOf,
  type Value,
  valueIn,
} from '../draft/fields.ts';
import { readLevelAgain } from '../guilds/guilds.ts';
import { failureOf, laterChangeOf, problemOf, responseHeaderOf, slugOf } from '../service/failure.ts';
import { REVERT_WAIT_SECONDS, type Received, sendMutation, sendQuery } from '../service/service.ts';
import { noteSessionOver } from '../session/session.ts';
import { type Outcome, type Refusal, type SaveFailure, saveFailureOf } from './save-outcome.ts';

export function guildQuery(guild: string) {
  return queryOptions({
    queryKey: ['guild', guild] as const,
    queryFn: async ({ signal }): Promise<Theirs> => {
      const { data, etag } = await sendQuery('guilds.get', { guild }, { signal });
      return theirsOf(data, revisionOf(etag), etag);
    },
  });
}

function theirsFrom({ data, etag }: Received<Guild>): Theirs {
  return theirsOf(data, revisionOf(etag), etag);
}

/** Returns the revision of an entity tag; 0 for another form, so that every change is refused and read again. */
function revisionOf(etag: string | null | undefined): number {
  return revisionIn(etag ?? '') ?? 0;
}

/** Seconds that the service waits until a change is in use, before it responds. */
const WAIT_SECONDS = 5;

/** Attempts of one save: others may change other settings each time. */
const ATTEMPTS = 4;

type Before = ReadonlyMap<DraftField, Value>;

interface SaverOptions {
  readonly client: QueryClient;
  readonly guild: string;
  readonly store: DraftStore;
  readonly setOutcome: Dispatch<SetStateAction<Outcome>>;
  readonly setIssues: Dispatch<SetStateAction<readonly ProblemIssue[]>>;
}

export type Saver = ReturnType<typeof createSaver>;

/** Returns functions that save a draft with one conditional request, and undo the saved change. */
export function createSaver({ client, guild, store, setOutcome, setIssues }: SaverOptions) {
  // Read by events that arrive meanwhile.
  const isWriting = { current: false };
  const undoing: { current: Before | undefined } = { current: undefined };
  let newest: { readonly revision: number; readonly before: Before } | undefined;

  const takeUndone = (theirs: Theirs) => store.update(undone, theirs, undoing.current ?? new Map());

  const fail = (failure: SaveFailure) => setOutcome({ kind: 'failed', failure, retryAfter: undefined, at: Date.now() });

  const refusalOf = (error: unknown): Refusal => {
    const { kind, retryAfter } = failureOf(error);
    const slug = slugOf(error);
    if (kind === 'session-over') noteSessionOver(client);
    if (slug === 'insufficient-access') readLevelAgain(client, guild);
    const failure = saveFailureOf(kind, slug);
    // Without an issue, the person has nothing to correct.
    const isUnexplained = failure === 'invalid' && (problemOf(error)?.issues ?? []).length === 0;
    return { failure: isUnexplained ? 'failed' : failure, retryAfter, at: Date.now() };
  };

  const readTheirs = () => client.fetchQuery({ ...guildQuery(guild), staleTime: 0, retry: false });

  /** Reads the settings of the service after a change with an unknown outcome. */
  const readAgain = async (): Promise<Draft> => {
    return takeUndone(await readTheirs());
  };

  /** Returns the change that has undone another one, and shows its result; undefined: unknown. */
  const undoOf = async (revision: number): Promise<number | undefined> => {
    try {
      const { data } = await sendQuery('guilds.change', { guild, revision });
      if (data.undoneBy !== undefined) await readAgain();
      return data.undoneBy;
    } catch {
      return undefined;
    }
  };

  /** Reads the entity tag if the record came from an event, with later changes by others. */
  const readTag = async (): Promise<Draft> => {
    const { theirs: known } = store.read();
    const theirs = await readTheirs();
    // An event that has arrived meanwhile may be newer. A restored backup has fewer revisions.
    return store.update(received, theirs, store.read().theirs === known ? 'always' : 'newer');
  };

  const attempt = async (): Promise<'done' | 'again'> => {
    if (store.read().theirs.etag === undefined) {
      const known = await readTag();
      if (viewOf(known).conflicts.length > 0) {
        fail('conflicts');
        return 'done';
      }
      // Without a precondition, a change by others would be overwritten.
      if (known.theirs.etag === undefined) return 'again';
    }
    const draft = store.update(sent);
    const { revision: before, settings, etag: ifMatch } = draft.theirs;
    try {
      const result = await sendMutation(
        'guilds.update',
        { guild, ...changesOf(draft) },
        {
          ifMatch,
          waitSeconds: WAIT_SECONDS,
        },
      );
      const theirs = theirsFrom(result);
      store.update(saved, theirs);
      const fields = [...draft.edits.keys()];
      newest = { revision: theirs.revision, before: new Map(fields.map((field) => [field, valueIn(settings, field)])) };
      const isUndoable = theirs.revision !== before;
      setOutcome({
        kind: 'saved',
        revision: theirs.revision,
        arrival: result.arrival,
        undo: isUndoable ? 'possible' : 'none',
      });
      return 'done';
    } catch (error) {
      const problem = problemOf(error);
      const { current } = problem ?? {};
      if (slugOf(error) !== 'revision-mismatch' || current === undefined) throw error;
      const etag = responseHeaderOf(error, 'etag') ?? undefined;
      const merged = store.update(refused, {
        ...theirsOf(current, revisionOf(etag), etag),
        changedBy: changedByOf(problem),
      });
      if (viewOf(merged).conflicts.length > 0) {
        fail('conflicts');
        return 'done';
      }
      return Object.keys(changesOf(merged)).length > 0 ? 'again' : 'done';
    }
  };

  const save = async (): Promise<void> => {
    if (isWriting.current) return;
    isWriting.current = true;
    // An empty list is kept: another one would cause all controls to be rendered again.
    setIssues((now) => (now.length === 0 ? now : []));
    setOutcome({ kind: 'none' });
    try {
      let left = ATTEMPTS;
      while ((await attempt()) === 'again') {
        left -= 1;
        if (left === 0) return fail('busy');
      }
    } catch (error) {
      const refusal = refusalOf(error);
      const now = refusal.failure === 'unconfirmed' ? await readAgain().catch(() => undefined) : undefined;
      const draft = store.update(refused);
      if (now !== undefined && Object.keys(changesOf(draft)).length === 0) {
        // The change was made after all.
        setOutcome({ kind: 'saved', revision: draft.theirs.revision, arrival: undefined, undo: 'none' });
      } else {
        setIssues(problemOf(error)?.issues ?? []);
        setOutcome({ kind: 'failed', ...refusal });
      }
    } finally {
      isWriting.current = false;
    }
  };

  const undo = async (revision: number): Promise<void> => {
    type Saved = Extract<Outcome, { kind: 'saved' }>;
    const become = (undo: Saved['undo'], change: Partial<Saved> = {}) =>
      setOutcome((now) => (now.kind === 'saved' ? { ...now, undoRefusal: undefined, ...change, undo } : now));
    isWriting.current = true;
    undoing.current = newest?.revision === revision ? newest.before : new Map();
    become('running');
    try {
      const { data, etag, arrival } = await sendMutation(
        'guilds.undo',
        { guild, revision },
        {
          waitSeconds: REVERT_WAIT_SECONDS,
        },
      );
      const result = revisionOf(etag);
      // Not the difference of a dry run.
      if (!('changes' in data)) takeUndone(theirsOf(data, result, etag));
      become('done', { revision: result, arrival });
    } catch (error) {
      const undoRefusal = refusalOf(error);
      const isLater = slugOf(error) === 'later-change';
      // The undo may have been made, now or by an attempt whose answer was lost.
      const result = isLater || undoRefusal.failure === 'unconfirmed' ? await undoOf(revision) : undefined;
      if (result !== undefined) become('done', { revision: result, arrival: undefined });
      else if (isLater) become('later', { laterChange: laterChangeOf(error) });
      else become('possible', { undoRefusal });
    } finally {
      isWriting.current = false;
      undoing.current = undefined;
    }
  };

  return {
    isWriting,
    takeUndone,
    save,
    undo,
    dismiss: () => setOutcome({ kind: 'none' }),
    fail,
    /** Drops the service's issues of a field, because it has another value now. */
    clearIssues: (field: Field) =>
      setIssues((now) => (now.length === 0 ? now : now.filter(({ path }) => fieldOf(path) !== field))),
  };
}

function changedByOf({ conflicts = [] }: Partial<Problem> = {}): Readonly<Record<Field, FieldChangedBy>> {
  return Object.fromEntries(conflicts.map(({ field, actor, at, revision }) => [field, { actor, at, revision }]));
}
