import type { ReceivedArrival, RequestOptions } from '@guild-settings/client/browser';
import type { Guild, GuildLevel } from '@guild-settings/contract';
import type { Entry, ShownChanges } from '@guild-settings/i18n';
import { queryOptions } from '@tanstack/react-query';
import { slugOf } from '../service/failure.ts';
import { REVERT_WAIT_SECONDS, type Received, sendMutation, sendQuery } from '../service/service.ts';

/** The target of a revert: the fields of one change, or all settings as of a revision. */
export interface RevertTarget {
  readonly kind: 'undo' | 'restore';
  readonly revision: number;
  /** True: a change of the access list, which the bot does not use. */
  readonly isOfAccess: boolean;
}

/**
 * Returns the actions for a change that are available at this level of access. Only managers restore the access list,
 * which has no past states.
 */
export function revertsOf({ kind }: Entry, level: GuildLevel): readonly RevertTarget['kind'][] {
  if (kind === 'access') return level === 'manager' ? ['undo'] : [];
  return kind === 'settings' && level !== 'viewer' ? ['undo', 'restore'] : [];
}

interface Difference {
  readonly revision: number;
  readonly changes: ShownChanges;
}

interface ShownDifference extends Difference {
  readonly etag: string | undefined;
}

/** The query of the difference that a revert would make now. A refusal, such as `later-change`, is the error. */
export function revertPreviewQuery(guild: string, { kind, revision }: RevertTarget) {
  return queryOptions({
    queryKey: ['revert', guild, kind, revision] as const,
    queryFn: async ({ signal }): Promise<ShownDifference> => {
      const input = { guild, revision, dry_run: true };
      const { data, etag } = await sendRevert(kind, input, { signal });
      if (!('changes' in data)) throw new TypeError('Expected the difference of a dry run, received a record');
      return { ...data, etag };
    },
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

export interface ConfirmedRevert {
  readonly guild: string;
  readonly target: RevertTarget;
  readonly difference: ShownDifference;
  readonly reason: string;
}

/**
 * Makes exactly the displayed difference, or none. If the response is lost, reads if it was made.
 * @returns the arrival of the change, if the response contained it
 */
export async function revert({
  guild,
  target,
  difference,
  reason,
}: ConfirmedRevert): Promise<ReceivedArrival | undefined> {
  const { kind, revision } = target;
  try {
    const { arrival } = await sendRevert(
      kind,
      { guild, revision },
      {
        // A proxy may have removed the tag: without a precondition, another difference could be made.
        ifMatch: difference.etag ?? `"${difference.revision}"`,
        auditReason: reason.trim() === '' ? undefined : reason.trim(),
        waitSeconds: REVERT_WAIT_SECONDS,
      },
    );
    return arrival;
  } catch (error) {
    if (await isRevertedAfter(error, guild, target)) return undefined;
    throw error;
  }
}

/**
 * Returns true if a revert was made although it failed. Checks it if the error does not determine the outcome: for an
 * undo, if the change has been undone; for a restore, if there is no difference. False if that cannot be read.
 */
export async function isRevertedAfter(error: unknown, guild: string, target: RevertTarget): Promise<boolean> {
  const slug = slugOf(error);
  if (slug !== undefined && slug !== 'write-unconfirmed') return false;
  const { kind, revision } = target;
  try {
    if (kind === 'undo') {
      const { data } = await sendQuery('guilds.change', { guild, revision });
      return data.undoneBy !== undefined;
    }
    const { data } = await sendRevert(kind, { guild, revision, dry_run: true });
    return 'changes' in data && Object.keys(data.changes).length === 0;
  } catch {
    return false;
  }
}

interface RevertInput {
  readonly guild: string;
  readonly revision: number;
  readonly dry_run?: boolean;
}

function sendRevert(
  kind: RevertTarget['kind'],
  input: RevertInput,
  request?: RequestOptions,
): Promise<Received<Guild | Difference>> {
  return sendMutation(kind === 'undo' ? 'guilds.undo' : 'guilds.restore', input, request);
}
