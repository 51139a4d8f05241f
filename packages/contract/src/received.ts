import { z } from 'zod';
import { EXPECTED } from './issues.ts';
import type { Declaration } from './settings/declaration.ts';
import { type EffectiveSettings, SPECIFIED_SETTINGS, withoutFormer } from './settings/declared-settings.ts';
import { specifiedShape, typeSchema } from './settings/schemas.ts';
import { fits, settingOf } from './settings/setting.ts';
import type { SettingDeclaration } from './settings/setting-declaration.ts';
import { type Cursor, SetCustom, type WatchEvent, type WatchedGuild } from './watch.ts';

/**
 * A record as accepted by readers: known fields by type without limits, which a later version may widen, and unknown
 * fields as they are.
 */
export const ReceivedGuild = z.looseObject({
  id: z.string().regex(/^\d{1,20}$/, 'expected at most 20 digits'),
  name: z.string(),
  icon: z.string().nullable(),
  ...specifiedShape<EffectiveSettings>(typeSchema),
  custom: SetCustom.exactOptional(),
});

/** A record that this version cannot read, although it knows the type of the event. */
export interface RejectedRecord {
  /** `undefined`: the id is not readable either. */
  readonly guild: string | undefined;
  readonly revision: number;
  /** The violated expectations, by field. */
  readonly reason: string;
}

/** An event as understood by this version, and its records that are not. */
export interface ReceivedEvent {
  readonly event: WatchEvent;
  /** Absent if there are none. */
  readonly rejected?: readonly RejectedRecord[];
}

const Revision = z.int().min(0);
const Typed = z.looseObject({ type: z.string() });
const Received = z.object({ revision: Revision, guild: ReceivedGuild, unset: z.array(z.string()).exactOptional() });
const Page = z.object({ revision: Revision, guilds: z.array(z.unknown()) });
const Removed = z.object({ revision: Revision, guild: ReceivedGuild.shape.id });
const Reset = z.object({ epoch: z.string().min(1) });

/**
 * Reads the data of an event of any version of the service. Unknown data never stops a reader: an event of an unknown
 * type becomes a `bookmark`, which moves the cursor, and an unreadable record is set aside.
 * @param data the parsed data; undefined if it was not JSON
 * @param cursor the cursor after the event
 */
export function readWatchEvent(data: unknown, cursor: Cursor): ReceivedEvent {
  const { revision } = cursor;
  const bookmark: WatchEvent = { type: 'bookmark', revision };
  const typed = Typed.safeParse(data, EXPECTED);
  if (!typed.success) return { event: bookmark, rejected: [rejection(data, revision, typed.error)] };
  switch (typed.data.type) {
    case 'guild': {
      const record = Received.safeParse(data, EXPECTED);
      if (record.success) return { event: { type: 'guild', ...record.data } };
      return { event: bookmark, rejected: [rejection(data, revision, record.error)] };
    }
    case 'guilds': {
      const page = Page.safeParse(data, EXPECTED);
      if (!page.success) return { event: bookmark, rejected: [rejection(data, revision, page.error)] };
      return readPage(page.data);
    }
    case 'removed': {
      const removed = Removed.safeParse(data, EXPECTED);
      if (removed.success) return { event: { type: 'removed', ...removed.data } };
      return { event: bookmark, rejected: [rejection(data, revision, removed.error)] };
    }
    case 'declaration':
      return { event: { type: 'declaration', ...readDeclaration(data) } };
    case 'reset':
      return { event: { type: 'reset', epoch: Reset.safeParse(data).data?.epoch ?? cursor.epoch } };
    case 'live':
      return { event: { type: 'live', revision } };
    default:
      return { event: bookmark };
  }
}

/** Reads the records of a page one by one: an unreadable one does not affect the others. */
function readPage({ revision, guilds }: z.output<typeof Page>): ReceivedEvent {
  const records: WatchedGuild[] = [];
  const rejected: RejectedRecord[] = [];
  for (const one of guilds) {
    const record = Received.safeParse(one, EXPECTED);
    if (record.success) records.push(record.data);
    else rejected.push(rejection(one, revision, record.error));
  }
  const event: WatchEvent = { type: 'guilds', revision, guilds: records };
  return rejected.length > 0 ? { event, rejected } : { event };
}

/** Maximum number of issues in the reason of a rejection. */
const MAX_ISSUES = 3;

/** The readable fields of an invalid record. */
const Known = z.object({
  revision: Revision.optional().catch(undefined),
  guild: z
    .union([ReceivedGuild.shape.id, z.looseObject({ id: ReceivedGuild.shape.id }).transform(({ id }) => id)])
    .optional()
    .catch(undefined),
});

/** @param revision of the event, for a record without one */
function rejection(data: unknown, revision: number, { issues }: z.ZodError): RejectedRecord {
  const known = Known.safeParse(data).data;
  const described = issues.slice(0, MAX_ISSUES).map(({ path, message }) => `${path.join('.') || 'event'}: ${message}`);
  const reason = described.join('; ');
  return { guild: known?.guild, revision: known?.revision ?? revision, reason };
}

/** The placeholder of an unreadable setting, such as one of a later kind: it is skipped and reported. */
const UNREADABLE = { kind: '', label: {} };

const ReceivedSetting = z.looseObject({ kind: z.string(), label: z.looseObject({}).catch({}) }).catch(UNREADABLE);

const Declared = z.object({
  tag: z.string().catch(''),
  declaration: z
    .looseObject({
      settings: z.record(z.string(), ReceivedSetting).catch({}),
      defaults: z.looseObject({}).catch({}),
    })
    .catch({ settings: {}, defaults: {} }),
});

/** Reads a declaration of any version of the service. An unreadable part does not affect the others. */
export function readDeclaration(data: unknown): { readonly tag: string; readonly declaration: Declaration } {
  const { tag, declaration } = Declared.parse(data);
  const settings = Object.entries(withoutFormer(declaration.settings)).map(([name, declared]) => [
    name,
    isReadable(name, declared as unknown as SettingDeclaration) ? declared : UNREADABLE,
  ]);
  const defaults = Object.entries(declaration.defaults).filter(([name, value]) => {
    const setting = SPECIFIED_SETTINGS.byField.get(name);
    return setting === undefined || fits(setting, value);
  });
  return {
    tag,
    declaration: { ...declaration, settings: Object.fromEntries(settings), defaults: Object.fromEntries(defaults) },
  };
}

/**
 * Returns true if a setting has an unknown kind, or can be read: in a later version, a known kind may have other
 * options.
 */
function isReadable(name: string, declared: SettingDeclaration): boolean {
  try {
    const setting = settingOf('custom', name, declared);
    return setting === undefined || fits(setting, setting.default);
  } catch {
    return false;
  }
}
