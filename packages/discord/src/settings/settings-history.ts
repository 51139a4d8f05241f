import { withRequest } from '@guild-settings/client';
import type { ChangedField, Conflict, GuildId, RecordSettings, Snowflake } from '@guild-settings/contract';
import { tagWithoutCoding } from '@guild-settings/contract/constants';
import type { Setting } from '@guild-settings/contract/settings';
import type { Entry, ShownChanges } from '@guild-settings/i18n';
import {
  type CallOutcome,
  callService,
  isMismatch,
  type PermittedUser,
  readService,
  type ServiceFailure,
  type SettingsService,
  WRONG_CLIENT,
} from './service.ts';

export interface HistoryQuery {
  readonly limit: number;
  readonly before?: number | undefined;
  readonly field?: ChangedField | undefined;
}

export interface HistoryPart {
  readonly entries: readonly Entry[];
  readonly nextBefore: number | undefined;
}

export interface UndoPreview {
  readonly kind: 'preview';
  readonly entry: Entry;
  /** Empty: the settings already have the values from before the change. */
  readonly changes: ShownChanges;
  /** The entity tag of the record in the preview, without quotes. */
  readonly guildTag: string;
}

export type UndoObstacle =
  | { readonly kind: 'unknown'; readonly revision: number | undefined }
  | { readonly kind: 'not-undoable'; readonly revision: number }
  /** The change is of the access list, which the bot only displays. */
  | { readonly kind: 'of-access' }
  | { readonly kind: 'later-change'; readonly revision: number; readonly conflicts: readonly Conflict[] }
  | ServiceFailure;

export interface Undone {
  readonly kind: 'undone';
  readonly changes: ShownChanges;
  readonly after: RecordSettings;
}

export type SettingsHistory = ReturnType<typeof settingsHistory>;

/**
 * Maximum requests for a page of history: the service may return an empty part if it has examined many changes without
 * a match.
 */
const MAX_READS = 5;

export function settingsHistory(client: SettingsService) {
  /** Reads changes of settings, without those made in Discord. */
  async function read(user: PermittedUser, { before, ...query }: HistoryQuery): Promise<CallOutcome<HistoryPart>> {
    const { guildId: guild, userId: onBehalfOf } = user;
    let nextBefore = before;
    for (let reads = 1; ; reads += 1) {
      const input = {
        guild,
        kind: 'settings' as const,
        ...query,
        ...(nextBefore !== undefined && { before: nextBefore }),
      };
      nextBefore = undefined;
      const onNext = (revision: number) => {
        nextBefore = revision;
      };
      const page = await readService(() => client.guilds.history.query(input, withRequest({ onBehalfOf, onNext })));
      if (page.kind !== 'result') return page;
      const { entries } = page.result;
      if (entries.length > 0 || nextBefore === undefined || reads === MAX_READS) {
        return { kind: 'result', result: { entries, nextBefore } };
      }
    }
  }

  async function entryOf(user: PermittedUser, revision?: number): Promise<CallOutcome<Entry | undefined>> {
    const { guildId: guild, userId: onBehalfOf } = user;
    if (revision !== undefined) {
      return readService(() => client.guilds.change.query({ guild, revision }, withRequest({ onBehalfOf })));
    }
    const newest = await read(user, { limit: 1 });
    return newest.kind === 'result' ? { kind: 'result', result: newest.result.entries[0] } : newest;
  }

  /** Returns the effect of undoing a change now. @param revision the newest change of settings unless given */
  async function preview(user: PermittedUser, revision?: number): Promise<UndoPreview | UndoObstacle> {
    const { guildId: guild, userId: onBehalfOf } = user;
    const found = await entryOf(user, revision);
    if (found.kind !== 'result') return obstacleOf(found, revision);
    const entry = found.result;
    if (entry === undefined) return { kind: 'unknown', revision };
    // Only managers change the list, and the service cannot know if Discord admitted another user.
    if (entry.kind === 'access') return { kind: 'of-access' };
    const input = { guild, revision: entry.revision, dry_run: true };
    let guildTag = '';
    const onEtag = (etag: string) => {
      guildTag = tagWithoutCoding(etag);
    };
    const difference = await readService(() => client.guilds.undo.mutate(input, withRequest({ onBehalfOf, onEtag })));
    if (difference.kind !== 'result') return obstacleOf(difference, entry.revision);
    if (guildTag === '') throw new Error(WRONG_CLIENT);
    if (!('changes' in difference.result)) throw new Error('Expected a difference from a dry run, received a record');
    return { kind: 'preview', entry, changes: difference.result.changes, guildTag };
  }

  /**
   * Undoes a change if the guild is unchanged since the preview that the user confirmed. Otherwise returns a new
   * preview, and undoes nothing.
   */
  async function undo(
    user: PermittedUser,
    { revision, guildTag }: { readonly revision: number; readonly guildTag: string },
  ): Promise<Undone | UndoPreview | UndoObstacle> {
    const { guildId: guild, userId: onBehalfOf } = user;
    const confirmed = await preview(user, revision);
    if (confirmed.kind !== 'preview' || confirmed.guildTag !== guildTag) return confirmed;
    const options = withRequest({ onBehalfOf, ifMatch: `"${guildTag}"` });
    const done = await callService(() => client.guilds.undo.mutate({ guild, revision }, options));
    if (done.kind !== 'result') return isMismatch(done) ? preview(user, revision) : obstacleOf(done, revision);
    if ('changes' in done.result) throw new Error('Expected the record after the undo, received a difference');
    return { kind: 'undone', changes: confirmed.changes, after: done.result };
  }

  /** Returns the user who last changed a setting; undefined: another author, none, or unknown to the service. */
  async function lastAuthor(guild: GuildId, { field }: Setting): Promise<Snowflake | undefined> {
    const input = { guild, kind: 'settings' as const, field: field as ChangedField, limit: 1 };
    const page = await readService(() => client.guilds.history.query(input));
    const [entry] = page.kind === 'result' ? page.result.entries : [];
    return entry?.actor.kind === 'user' ? (entry.actor.id ?? undefined) : undefined;
  }

  return { read, preview, undo, lastAuthor };
}

function obstacleOf(failure: ServiceFailure, revision: number | undefined): UndoObstacle {
  if (failure.kind !== 'refused' || revision === undefined) return failure;
  switch (failure.slug) {
    case 'revision-unknown':
      return { kind: 'unknown', revision };
    case 'not-undoable':
      return { kind: 'not-undoable', revision };
    case 'later-change':
      return { kind: 'later-change', revision, conflicts: failure.conflicts };
    default:
      return failure;
  }
}
