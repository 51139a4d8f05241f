import fc from 'fast-check';
import type { Declaration, SettingDeclaration } from '@guild-settings/contract/settings';
import { MODEL_CALLERS, type ModelCallerName } from './history-steps.ts';
import { IDS } from '../people.ts';

/** The guilds of the steps. */
export const DECLARED_GUILDS = [IDS.guild, IDS.otherGuild] as const;

/** A value to write: of the values of a setting, the one at a position. */
export interface Edit {
  readonly setting: number;
  readonly value: number;
}

/** The parameters of a write. `match`: If-Match of the guild's revision, of a wrong one, or of none. */
export interface WriteStep {
  readonly guild: string;
  readonly by: ModelCallerName;
  readonly match: 'right' | 'wrong' | 'none';
  readonly isOverTrpc: boolean;
  /** True: it is sent to the process with the older declaration. */
  readonly isToOld: boolean;
}

/** A step. Revisions and documents are named by a position among those that there are. */
export type DeclaredStep =
  | (WriteStep & { readonly type: 'patch'; readonly isWhole: boolean; readonly edits: readonly Edit[] })
  | (WriteStep & { readonly type: 'switch'; readonly feature: string; readonly isEnabled: boolean })
  | (WriteStep & { readonly type: 'undo' | 'restore'; readonly nth: number; readonly isDryRun: boolean })
  | (WriteStep & {
      readonly type: 'import';
      readonly nth: number;
      readonly edits: readonly Edit[];
      readonly isDryRun: boolean;
    })
  | { readonly type: 'rename'; readonly guild: string; readonly name: string; readonly icon: string | null }
  | { readonly type: 'declare'; readonly edits: readonly DeclarationEdit[] };

/** An edit of the declaration. `setting` is a name of {@link POOL}. */
export type DeclarationEdit =
  | { readonly type: 'put'; readonly setting: string; readonly variant: number }
  | { readonly type: 'drop'; readonly setting: string }
  | { readonly type: 'first'; readonly setting: string }
  | { readonly type: 'defaults'; readonly defaults: Declaration['defaults'] }
  | { readonly type: 'remove' };

const label = { 'en-US': 'A setting' };
const [OFF, SOME, ALL] = [{ 'en-US': 'Off' }, { 'en-US': 'Some' }, { 'en-US': 'All' }];
const CHANNEL = '381870553235193857';

/** Each name with its variants: other defaults, narrower and wider limits, other choices, who sets it; the last of some: another kind. */
export const POOL: Readonly<Record<string, readonly SettingDeclaration[]>> = {
  on: [
    { kind: 'switch', label },
    { kind: 'switch', label, default: true },
  ],
  xp: [
    { kind: 'integer', label, min: 0, max: 100, default: 5 },
    { kind: 'integer', label, min: 0, max: 10, default: 7 },
    { kind: 'integer', label: { ja: 'ラベル' }, min: 7, max: 1_000, default: 10 },
    { kind: 'text', label, max: 10 },
  ],
  cool: [
    { kind: 'duration', label, min: 0, max: 100, default: 50 },
    { kind: 'duration', label, min: 10, max: 50, default: 10 },
  ],
  level: [
    { kind: 'choice', label, choices: { off: OFF, some: SOME, all: ALL }, default: 'off' },
    { kind: 'choice', label, choices: { all: ALL, off: OFF }, default: 'all' },
    { kind: 'choice', label, choices: { off: OFF, some: SOME }, default: 'some', setBy: 'application' },
  ],
  hello: [
    { kind: 'text', label, max: 20 },
    { kind: 'text', label, max: 5, default: 'Hi' },
    { kind: 'text', label, max: 20, lines: 'many', default: 'two\nlines' },
  ],
  log: [
    { kind: 'channel', label },
    { kind: 'channel', label, types: ['text'], default: CHANNEL },
    { kind: 'role', label },
  ],
  roles: [
    { kind: 'role', label, many: { max: 3 } },
    { kind: 'role', label, many: { max: 1 }, default: [CHANNEL] },
  ],
  levels: [
    { kind: 'choice', label, choices: { off: OFF, some: SOME, all: ALL }, many: { max: 3 } },
    { kind: 'choice', label, choices: { some: SOME, all: ALL }, many: { max: 2 }, default: ['some'] },
    { kind: 'choice', label, choices: { off: OFF, all: ALL }, default: 'off' },
  ],
  numbers: [
    { kind: 'integer', label, min: 0, max: 10, many: { max: 2 }, default: [5] },
    { kind: 'integer', label, min: 0, max: 100, many: { max: 3 } },
  ],
  premium: [
    { kind: 'switch', label, setBy: 'application' },
    { kind: 'switch', label },
  ],
  quota: [
    { kind: 'integer', label, min: 0, max: 100, default: 0, setBy: 'application' },
    { kind: 'integer', label, min: 0, max: 10, default: 10, setBy: 'application' },
  ],
};

/** Values of each type of item: few, so that changes meet those of others. Some are not valid, of any declaration or of some. */
const ITEMS: Readonly<Record<string, readonly unknown[]>> = {
  switch: [true, false, 'true'],
  integer: [0, 5, 7, 10, 50, 100, 1_000, 5.5, '5'],
  choice: ['off', 'some', 'all', 'ja'],
  text: ['', 'Hi', 'Hi there', 'two\nlines', 7],
  channel: ['', CHANNEL, '381870553235193858', 'general'],
};

/** Positions of {@link valueAt} of which most have a valid value. */
const MOSTLY_VALID = 4;

/** Returns the value at a position among those of a setting; null: back to the default. */
export function valueAt({ kind, isMany }: { readonly kind: string; readonly isMany: boolean }, at: number): unknown {
  const items = ITEMS[{ duration: 'integer', role: 'channel' }[kind] ?? kind] ?? [];
  const [one, two, three, four] = items;
  const lists = [
    [one],
    [],
    [two, one],
    [two],
    [two, three],
    [two, two],
    [one, two, three, one],
    [two, four],
    [null],
    two,
  ];
  const values = isMany ? lists : items;
  const all = [...values.slice(0, MOSTLY_VALID), null, ...values.slice(MOSTLY_VALID)];
  return all[at % all.length];
}

const setting = fc.constantFrom(...Object.keys(POOL));
const isDryRun = fc.constantFrom(false, false, true);
const nth = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 3 }) }, fc.nat({ max: 400 }));
const value = fc.oneof({ weight: 6, arbitrary: fc.nat({ max: MOSTLY_VALID }) }, fc.nat({ max: 1_000 }));
const edits = fc.array(fc.record({ setting: fc.nat({ max: 1_000 }), value }), { maxLength: 2 });

const write = {
  guild: fc.constantFrom(...DECLARED_GUILDS),
  by: fc.constantFrom(...MODEL_CALLERS),
  match: fc.constantFrom('none' as const, 'none' as const, 'right' as const, 'right' as const, 'wrong' as const),
  isOverTrpc: fc.boolean(),
  isToOld: fc.constantFrom(...Array.from({ length: 8 }, (_, at) => at === 0)),
};

const defaults = fc.constantFrom<Declaration['defaults']>(
  {},
  { prefix: '?' },
  { prefix: '#', language: 'ja', beta: true },
  { enabledFeatures: ['a'], announcement_channel: CHANNEL },
);

const declarationEdit: fc.Arbitrary<DeclarationEdit> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ type: fc.constant('put' as const), setting, variant: fc.nat({ max: 100 }) }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('drop' as const), setting }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('first' as const), setting }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('defaults' as const), defaults }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('remove' as const) }) },
);

const [first] = DECLARED_GUILDS;
const plain = { guild: first, match: 'none', isOverTrpc: false, isToOld: false } as const;
/** The settings of the specification are before the others. */
const SPECIFIED_COUNT = 5;
const positionOf = (name: string) => SPECIFIED_COUNT + Object.keys(POOL).indexOf(name);
const editOf = (name: string) => [{ setting: positionOf(name), value: 0 }];

/** Steps with every setting declared as in {@link POOL} first: a refused change of a reserved setting, and of the kind of one that is set. */
export const DECLARED_START: readonly DeclaredStep[] = [
  { type: 'patch', ...plain, by: 'manager', isWhole: false, edits: editOf('premium') },
  { type: 'patch', ...plain, by: 'application', isWhole: true, edits: [...editOf('premium'), ...editOf('xp')] },
  { type: 'declare', edits: [{ type: 'put', setting: 'xp', variant: 3 }] },
];

/** Random steps. */
export const DECLARED_STEPS: fc.Arbitrary<DeclaredStep> = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({
      type: fc.constant('patch' as const),
      ...write,
      isWhole: fc.constantFrom(false, false, false, true),
      edits,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('switch' as const),
      ...write,
      feature: fc.constantFrom('a', 'b'),
      isEnabled: fc.boolean(),
    }),
  },
  { weight: 18, arbitrary: fc.record({ type: fc.constant('undo' as const), ...write, nth, isDryRun }) },
  { weight: 10, arbitrary: fc.record({ type: fc.constant('restore' as const), ...write, nth, isDryRun }) },
  { weight: 10, arbitrary: fc.record({ type: fc.constant('import' as const), ...write, nth, edits, isDryRun }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('rename' as const),
      guild: write.guild,
      name: fc.constantFrom('One', 'Two'),
      icon: fc.constantFrom(null, 'f64c482b807da4f539cff778d174971c'),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      type: fc.constant('declare' as const),
      edits: fc.array(declarationEdit, { minLength: 1, maxLength: 4 }),
    }),
  },
);
