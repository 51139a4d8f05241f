import fc from 'fast-check';
import { ChangeKind, type GuildSettings, type HistoryInput } from '@guild-settings/contract';
import { CHANGED_FIELDS } from '@guild-settings/contract/constants';
import { IDS } from '../people.ts';

/** The guilds of the model test. */
export const MODEL_GUILDS = [IDS.guild, IDS.otherGuild, IDS.bigGuild] as const;

/** The callers of the model test. */
export const MODEL_CALLERS = ['manager', 'admin', 'application', 'onBehalf'] as const;
export type ModelCallerName = (typeof MODEL_CALLERS)[number];

/** A request on a guild. */
export interface GuildStep {
  readonly guild: string;
  readonly by: ModelCallerName;
}

/** The request of a change. `match`: the revisions by which If-Match is behind the guild; null: no condition. */
export interface WriteStep extends GuildStep {
  readonly match: number | null;
  readonly reason: string | null;
}

/** A revision to undo, restore or read: the nth newest of the guild's changes, or a number of revisions before the newest. */
export type ModelTarget = { readonly nth: number } | { readonly back: number };

/** A step of the model test. */
export type HistoryStep =
  | (WriteStep & { readonly type: 'update'; readonly patch: Partial<GuildSettings> })
  | (WriteStep & { readonly type: 'switch'; readonly feature: string; readonly isEnabled: boolean })
  | (WriteStep & {
      readonly type: 'import';
      readonly patch: Partial<GuildSettings>;
      readonly isDryRun: boolean;
    })
  | (WriteStep & { readonly type: 'erase' })
  | (WriteStep & { readonly type: 'undo' | 'restore'; readonly target: ModelTarget; readonly isDryRun: boolean })
  | (GuildStep & { readonly type: 'undo twice'; readonly target: ModelTarget })
  | (GuildStep & { readonly type: 'read'; readonly target: ModelTarget | null })
  | (GuildStep & { readonly type: 'change'; readonly target: ModelTarget })
  | (GuildStep & { readonly type: 'history'; readonly query: ModelQuery })
  | { readonly type: 'forget'; readonly by: ModelCallerName }
  | { readonly type: 'report'; readonly guild: string; readonly presence: 'present' | 'left'; readonly name: string }
  | { readonly type: 'wait'; readonly hours: number }
  | { readonly type: 'restart'; readonly days: number };

/** A filter and a limit of a history; revisions are relative to the newest. */
export interface ModelQuery {
  readonly limit: number;
  readonly filter: Pick<HistoryInput, 'actor' | 'field' | 'kind'>;
  readonly before: number | null;
  readonly after: number | null;
}

const on = { guild: fc.constantFrom(...MODEL_GUILDS), by: fc.constantFrom(...MODEL_CALLERS) };

const write = {
  ...on,
  match: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.constantFrom(0, 0, 1, 4)),
  reason: fc.constantFrom(null, null, 'by chance', '気分'),
};

const FEATURES: string[][] = [[], ['a'], ['a', 'b'], ['b', 'a', 'b'], ['a', 'a']];

/** Few values, so that changes meet the values of others. */
const patch = fc.record(
  {
    prefix: fc.constantFrom('!', '?', '#'),
    announcement_channel: fc.constantFrom('', '1', '2'),
    beta: fc.boolean(),
    language: fc.constantFrom('en-US' as const, 'ja' as const),
    enabledFeatures: fc.constantFrom(...FEATURES),
  },
  { requiredKeys: [] },
);

const target: fc.Arbitrary<ModelTarget> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ nth: fc.nat({ max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ nth: fc.nat({ max: 200 }) }) },
  { weight: 2, arbitrary: fc.record({ back: fc.integer({ min: -2, max: 60 }) }) },
  fc.record({ back: fc.nat({ max: 6_000 }) }),
);

const isDryRun = fc.constantFrom(false, false, false, true);

const query: fc.Arbitrary<ModelQuery> = fc.record({
  limit: fc.integer({ min: 1, max: 7 }).map((limit) => (limit === 7 ? 100 : limit)),
  filter: fc.record(
    {
      actor: fc.constantFrom(IDS.manager, IDS.owner, IDS.application),
      field: fc.constantFrom(...CHANGED_FIELDS),
      kind: fc.constantFrom(...ChangeKind.options),
    },
    { requiredKeys: [] },
  ),
  before: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.nat({ max: 30 })),
  after: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.nat({ max: 60 })),
});

const plain = {
  guild: IDS.guild,
  by: 'application' as const,
  match: null,
  reason: null,
  target: { nth: 1 },
  isDryRun: false,
};

/** First steps, so that a run with few random steps undoes, is refused an undo, and restores. */
export const HISTORY_START: readonly HistoryStep[] = [
  { type: 'update', ...plain, patch: { prefix: '?' } },
  { type: 'update', ...plain, patch: { prefix: '#' } },
  { type: 'undo', ...plain },
  { type: 'undo', ...plain, target: { nth: 0 } },
  { type: 'restore', ...plain },
];

/** Random steps. */
export const HISTORY_STEPS: fc.Arbitrary<HistoryStep> = fc.oneof(
  { weight: 24, arbitrary: fc.record({ type: fc.constant('update' as const), ...write, patch }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('switch' as const),
      ...write,
      feature: fc.constantFrom('a', 'b'),
      isEnabled: fc.boolean(),
    }),
  },
  { weight: 14, arbitrary: fc.record({ type: fc.constant('undo' as const), ...write, target, isDryRun }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('import' as const), ...write, patch, isDryRun }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('erase' as const), ...write }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('undo twice' as const), ...on, target }) },
  { weight: 7, arbitrary: fc.record({ type: fc.constant('restore' as const), ...write, target, isDryRun }) },
  { weight: 10, arbitrary: fc.record({ type: fc.constant('read' as const), ...on, target: fc.option(target) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('change' as const), ...on, target }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('history' as const), ...on, query }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('report' as const),
      guild: on.guild,
      presence: fc.constantFrom('present' as const, 'present' as const, 'left' as const),
      name: fc.constantFrom('One', 'Two'),
    }),
  },
  fc.record({ type: fc.constant('forget' as const), by: on.by }),
  { weight: 8, arbitrary: fc.record({ type: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 12 }) }) },
  fc.record({ type: fc.constant('restart' as const), days: fc.constantFrom(0, 0, 1, 5, 30, 60, 95) }),
);
