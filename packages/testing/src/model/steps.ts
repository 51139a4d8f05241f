import { ChangeKind, type GuildSettings, type HistoryInput } from '@guild-settings/contract';
import { CHANGED_FIELDS } from '@guild-settings/contract/constants';
import { type Declaration, type SettingDeclaration, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import fc from 'fast-check';
import { IDS } from '../people.ts';
import type { ModelRules } from './rules.ts';

/** The guilds of the steps without declarations. With declarations, the first two. */
export const GUILDS = [IDS.guild, IDS.otherGuild, IDS.bigGuild] as const;

const CALLERS = ['manager', 'admin', 'application', 'onBehalf'] as const;
export type CallerName = (typeof CALLERS)[number];

export interface GuildStep {
  readonly guild: string;
  readonly by: CallerName;
}

/**
 * The request of a change. `match`: the number of revisions by which If-Match is behind the guild; null: no condition.
 */
export interface WriteStep extends GuildStep {
  readonly match: number | null;
  readonly reason: string | null;
  readonly isDryRun?: boolean;
  readonly isOverTrpc?: boolean;
  /** True: sent to the process with the older declaration. */
  readonly isToOld?: boolean;
}

/** The settings in a body, or edits of them. */
interface Values {
  readonly patch?: Partial<GuildSettings>;
  /** Values to write: for the setting at a position, the value at a position. */
  readonly edits?: readonly { readonly setting: number; readonly value: number }[];
}

/** A revision to undo, restore or read: the nth newest of the guild's changes, or a number of revisions before the newest. */
export type Target = { readonly nth: number } | { readonly back: number };

/** A filter and a limit of a history; revisions are relative to the newest. */
export interface Query {
  readonly limit: number;
  readonly filter: Pick<HistoryInput, 'actor' | 'field' | 'kind'>;
  readonly before: number | null;
  readonly after: number | null;
}

/** An edit of the declaration. `setting` is a name of {@link POOL}. */
export type DeclarationEdit =
  | { readonly type: 'put'; readonly setting: string; readonly variant: number }
  | { readonly type: 'drop'; readonly setting: string }
  | { readonly type: 'first'; readonly setting: string }
  /** To another name, or back to the one of {@link POOL}. */
  | { readonly type: 'rename'; readonly setting: string }
  | { readonly type: 'defaults'; readonly defaults: Declaration['defaults'] }
  | { readonly type: 'remove' };

export type Write = WriteStep &
  (
    | (Values & { readonly type: 'update'; readonly isWhole?: boolean })
    | { readonly type: 'switch'; readonly feature: string; readonly isEnabled: boolean }
    /** Imports the nth newest export, with edits. */
    | (Values & { readonly type: 'import'; readonly nth: number })
    | { readonly type: 'undo' | 'restore'; readonly target: Target }
  );

export type Step =
  | Write
  | (WriteStep & { readonly type: 'erase' })
  | (GuildStep & { readonly type: 'undo twice' | 'change'; readonly target: Target })
  | (GuildStep & { readonly type: 'read'; readonly target: Target | null })
  | (GuildStep & { readonly type: 'history'; readonly query: Query })
  | { readonly type: 'forget'; readonly by: CallerName }
  | {
      readonly type: 'report';
      readonly guild: string;
      readonly presence: 'present' | 'left';
      readonly name: string;
      readonly icon: string | null;
    }
  | { readonly type: 'wait'; readonly hours: number }
  | { readonly type: 'restart'; readonly days: number }
  | { readonly type: 'declare'; readonly edits: readonly DeclarationEdit[] };

const label = { 'en-US': 'A setting' };
const [OFF, SOME, ALL] = [{ 'en-US': 'Off' }, { 'en-US': 'Some' }, { 'en-US': 'All' }];
const CHANNEL = '381870553235193857';

/**
 * Each name with its variants: other defaults, narrower and wider limits, other choices, `setBy`; for some, the last
 * one has another kind.
 */
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
    { kind: 'number', label, min: 0, max: 100, decimals: 1, default: 5 },
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
    { kind: 'channel', label, many: { max: 2 } },
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

/**
 * Values of each type of item: few, so that changes meet the same values. Some are invalid, in any declaration or in
 * some.
 */
const ITEMS: Readonly<Record<string, readonly unknown[]>> = {
  switch: [true, false, 'true'],
  integer: [0, 5, 7, 10, 50, 100, 1_000, 5.5, '5'],
  number: [5, 7.5, 0.5, 10, 100, 0.25, '5'],
  choice: ['off', 'some', 'all', 'ja'],
  text: ['', 'Hi', 'Hi there', 'two\nlines', 7],
  channel: ['', CHANNEL, '381870553235193858', 'general'],
};

/** Positions of {@link valueAt} of which most have a valid value. */
const MOSTLY_VALID = 4;

/** Returns the value at a position among those of a setting; null: reset to the default. */
function valueAt({ kind, isMany }: { readonly kind: string; readonly isMany: boolean }, at: number): unknown {
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

export type Body = Readonly<Record<string, unknown>>;

/** Returns the settings of a step, including names that are not declared. */
export function settingsOf({ patch, edits = [] }: Values, rules: ModelRules): Body {
  if (patch !== undefined) return patch;
  const unknown = ['sleeping', ...Object.keys(POOL)].filter((name) => rules.setting(`custom.${name}`) === undefined);
  const custom: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  for (const { setting: at, value } of edits) {
    const setting = rules.settings[at % (rules.settings.length + 1)];
    if (setting === undefined) custom[unknown[value % unknown.length] ?? ''] = 1;
    else {
      const name = setting.names[value % setting.names.length]?.split('.').at(-1);
      (setting.isCustom ? custom : body)[name ?? ''] = valueAt(setting, value);
    }
  }
  return { ...body, ...(Object.keys(custom).length > 0 && { custom }) };
}

export function merged(settings: { readonly custom?: object }, others: { readonly custom?: object }): Body {
  const custom = (settings.custom ?? others.custom) && { ...settings.custom, ...others.custom };
  return { ...settings, ...others, ...(custom && { custom }) };
}

export function editedDeclaration(declaration: Declaration, edit: DeclarationEdit): Declaration {
  if (edit.type === 'remove') return declaration;
  if (edit.type === 'defaults') return { ...declaration, ...(edit.defaults && { defaults: edit.defaults }) };
  const later = `${edit.setting}Later`;
  const { [edit.setting]: own, [later]: renamed, ...others } = declaration.settings ?? {};
  const [name, known] = renamed === undefined ? [edit.setting, own] : [later, renamed];
  if (edit.type === 'drop') return { ...declaration, settings: others };
  if (edit.type === 'put') {
    const variants = POOL[edit.setting] ?? [];
    const variant = variants[edit.variant % variants.length];
    const put = variant && { [name]: renamed === undefined ? variant : { ...variant, was: edit.setting } };
    return { ...declaration, settings: { ...declaration.settings, ...put } };
  }
  if (known === undefined) return declaration;
  if (edit.type === 'first') return { ...declaration, settings: { [name]: known, ...others } };
  const { was, ...declared } = known;
  const next = was === undefined ? { [later]: { ...declared, was: edit.setting } } : { [edit.setting]: declared };
  return { ...declaration, settings: { ...others, ...next } as Declaration['settings'] & object };
}

const by = fc.constantFrom(...CALLERS);
const on = { guild: fc.constantFrom(...GUILDS), by };
const match = fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.constantFrom(0, 0, 1, 4));
const isDryRun = fc.constantFrom(false, false, false, true);
const write = { ...on, match, reason: fc.constantFrom(null, null, 'by chance', '気分') };

const FEATURES: string[][] = [[], ['a'], ['a', 'b'], ['b', 'a', 'b'], ['a', 'a']];

/** Few values, so that changes meet the same values. */
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

const target: fc.Arbitrary<Target> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ nth: fc.nat({ max: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ nth: fc.nat({ max: 200 }) }) },
  { weight: 2, arbitrary: fc.record({ back: fc.integer({ min: -2, max: 60 }) }) },
  fc.record({ back: fc.nat({ max: 6_000 }) }),
);

const query: fc.Arbitrary<Query> = fc.record({
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

const type = <Type extends Step['type']>(name: Type) => fc.constant(name);
const switched = { type: type('switch'), feature: fc.constantFrom('a', 'b'), isEnabled: fc.boolean() };

/** Random steps without declarations. */
export const HISTORY_STEPS: fc.Arbitrary<Step> = fc.oneof(
  { weight: 24, arbitrary: fc.record({ type: type('update'), ...write, patch }) },
  { weight: 6, arbitrary: fc.record({ ...write, ...switched }) },
  { weight: 14, arbitrary: fc.record({ type: type('undo'), ...write, target, isDryRun }) },
  { weight: 4, arbitrary: fc.record({ type: type('import'), ...write, nth: fc.constant(0), patch, isDryRun }) },
  { weight: 2, arbitrary: fc.record({ type: type('erase'), ...write }) },
  { weight: 6, arbitrary: fc.record({ type: type('undo twice'), ...on, target }) },
  { weight: 7, arbitrary: fc.record({ type: type('restore'), ...write, target, isDryRun }) },
  { weight: 10, arbitrary: fc.record({ type: type('read'), ...on, target: fc.option(target) }) },
  { weight: 3, arbitrary: fc.record({ type: type('change'), ...on, target }) },
  { weight: 6, arbitrary: fc.record({ type: type('history'), ...on, query }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: type('report'),
      guild: on.guild,
      presence: fc.constantFrom('present' as const, 'present' as const, 'left' as const),
      name: fc.constantFrom('One', 'Two'),
      icon: fc.constant(null),
    }),
  },
  fc.record({ type: type('forget'), by }),
  { weight: 8, arbitrary: fc.record({ type: type('wait'), hours: fc.integer({ min: 1, max: 12 }) }) },
  fc.record({ type: type('restart'), days: fc.constantFrom(0, 0, 1, 5, 30, 60, 95) }),
);

const setting = fc.constantFrom(...Object.keys(POOL));
const value = fc.oneof({ weight: 6, arbitrary: fc.nat({ max: MOSTLY_VALID }) }, fc.nat({ max: 1_000 }));
const edits = fc.array(fc.record({ setting: fc.nat({ max: 1_000 }), value }), { maxLength: 2 });

const declaredWrite = {
  guild: fc.constantFrom(...GUILDS.slice(0, 2)),
  by,
  match: fc.constantFrom(null, null, 0, 0, 1),
  reason: fc.constant(null),
  isOverTrpc: fc.boolean(),
  isToOld: fc.constantFrom(...Array.from({ length: 8 }, (_, at) => at === 0)),
};

const declarationEdit: fc.Arbitrary<DeclarationEdit> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ type: fc.constant('put' as const), setting, variant: fc.nat({ max: 100 }) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('drop' as const), setting }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('rename' as const), setting }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('first' as const), setting }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('defaults' as const),
      defaults: fc.constantFrom<Declaration['defaults']>(
        {},
        { prefix: '?' },
        { prefix: '#', language: 'ja', beta: true },
        { enabledFeatures: ['a'], announcement_channel: CHANNEL },
      ),
    }),
  },
  fc.record({ type: fc.constant('remove' as const) }),
);

export const DECLARED_STEPS: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({
      type: type('update'),
      ...declaredWrite,
      isWhole: fc.constantFrom(false, false, false, true),
      edits,
    }),
  },
  { weight: 5, arbitrary: fc.record({ ...declaredWrite, ...switched }) },
  { weight: 18, arbitrary: fc.record({ type: type('undo'), ...declaredWrite, target, isDryRun }) },
  { weight: 10, arbitrary: fc.record({ type: type('restore'), ...declaredWrite, target, isDryRun }) },
  {
    weight: 10,
    arbitrary: fc.record({ type: type('import'), ...declaredWrite, nth: fc.nat({ max: 3 }), edits, isDryRun }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: type('report'),
      guild: declaredWrite.guild,
      presence: fc.constant('present' as const),
      name: fc.constantFrom('One', 'Two'),
      icon: fc.constantFrom(null, 'f64c482b807da4f539cff778d174971c'),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      type: type('declare'),
      edits: fc.array(declarationEdit, { minLength: 1, maxLength: 4 }),
    }),
  },
);

const plain = { guild: IDS.guild, by: 'application' as const, match: null, reason: null };

/** The first steps, so that even a short run contains an undo, a refused undo, a restore, an erasure and a pruning. */
export const HISTORY_START: readonly Step[] = [
  { type: 'update', ...plain, patch: { prefix: '?' } },
  { type: 'update', ...plain, patch: { prefix: '#' } },
  { type: 'undo', ...plain, target: { nth: 1 } },
  { type: 'undo', ...plain, target: { nth: 0 } },
  // The value is that of the first change again.
  { type: 'undo', ...plain, target: { nth: 2 } },
  { type: 'restore', ...plain, target: { nth: 1 } },
  { type: 'erase', ...plain },
  { type: 'read', ...plain, target: { nth: 0 } },
  { type: 'read', ...plain, target: { back: 2 } },
  { type: 'update', ...plain, guild: IDS.otherGuild, patch: { beta: true } },
  { type: 'restart', days: 95 },
];

/** Returns an edit of a declared setting: those of the specification are before it. */
const editOf = (name: string, value = 0) => ({
  setting: SPECIFIED_SETTINGS.all.length + Object.keys(POOL).indexOf(name),
  value,
});

/**
 * Steps with every setting declared by its first variant in {@link POOL}: a refused change of a reserved setting, and
 * of the kind of a set value.
 */
export const DECLARED_START: readonly Step[] = [
  { type: 'update', ...plain, by: 'manager', edits: [editOf('premium')] },
  { type: 'update', ...plain, isWhole: true, edits: [editOf('premium'), editOf('xp')] },
  { type: 'undo', ...plain, target: { nth: 0 } },
  { type: 'undo', ...plain, target: { nth: 0 } },
  // Set to the default, then following the default, and back.
  { type: 'update', ...plain, edits: [editOf('xp', 1)] },
  { type: 'update', ...plain, edits: [editOf('xp', MOSTLY_VALID)] },
  { type: 'undo', ...plain, target: { nth: 0 } },
  { type: 'restore', ...plain, target: { nth: 1 } },
  { type: 'undo', ...plain, target: { nth: 0 } },
  { type: 'declare', edits: [{ type: 'put', setting: 'xp', variant: 3 }] },
  // Renamed, widened, and restored.
  { type: 'update', ...plain, edits: [editOf('log', 1)] },
  {
    type: 'declare',
    edits: [
      { type: 'rename', setting: 'log' },
      { type: 'put', setting: 'log', variant: 3 },
      { type: 'put', setting: 'xp', variant: 4 },
    ],
  },
  { type: 'undo', ...plain, target: { nth: 0 } },
  { type: 'undo', ...plain, target: { nth: 0 } },
  { type: 'restore', ...plain, target: { nth: 4 } },
];
