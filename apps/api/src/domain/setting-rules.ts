import {
  CUSTOM,
  type DeclaredSettings,
  fits,
  flawMessage,
  flawPath,
  flawsOf,
  type GuildId,
  ProblemError,
  type ProblemIssue,
  pointerTo,
  type Setting,
  type SkippedField,
  type SkipReason,
} from '@guild-settings/contract';
import type { UpdateSettings } from './command.ts';
import { kindOf } from './serve-declaration.ts';

/** @param field the name of the setting in the request; the current one unless given */
function pathOf({ place, name, shownField }: Setting, field: string = shownField): readonly string[] {
  return place === 'record' ? [name] : ['custom', field.slice(CUSTOM.length)];
}

export function isReserved({ declared }: Setting): boolean {
  return declared.setBy === 'application';
}

/**
 * Requires that declared settings may be changed to these values. The limits of the specified settings are checked with
 * requests. Values computed from the log were stored before, and may include the role @everyone.
 * @throws ProblemError reserved-setting, invalid-request
 */
export function requireAllowed(
  values: Readonly<Record<string, unknown>>,
  {
    patch,
    mayReserved,
    settingsAt = [],
    computedAt,
  }: Pick<UpdateSettings, 'patch' | 'mayReserved' | 'settingsAt' | 'computedAt'>,
  { guildId, settings }: { readonly guildId: GuildId; readonly settings: DeclaredSettings },
): void {
  const changed = Object.keys(values).flatMap((field) => settings.byField.get(field) ?? []);
  const custom = changed.filter(({ place }) => place === 'custom');
  const placeOf = (setting: Setting) => {
    const named = Object.keys(patch).find((field) => settings.byField.get(field) === setting);
    return [...settingsAt, ...pathOf(setting, computedAt === undefined ? named : undefined)];
  };
  const reserved = mayReserved ? [] : custom.filter(isReserved);
  if (reserved.length > 0) {
    throw new ProblemError('reserved-setting', {
      issues: reserved.map((setting) => issueAt(placeOf(setting), 'only the application can change this setting')),
    });
  }
  const issues = custom.flatMap((setting) => {
    const path = placeOf(setting);
    const value = values[setting.field];
    // The log may have values of an earlier kind of the setting.
    if (!fits(setting, value)) return [issueAt(path, `expected a value of the kind "${kindOf(setting)}"`)];
    return flawsOf(setting, value, computedAt === undefined ? guildId : undefined).map((flaw) =>
      issueAt([...path, ...flawPath(flaw)], flawMessage(flaw)),
    );
  });
  if (issues.length > 0) throw new ProblemError('invalid-request', { issues });
}

function issueAt(path: readonly (string | number)[], message: string): ProblemIssue {
  return { path: [...path], pointer: pointerTo(path), message };
}

const DETAILS: Readonly<Record<SkipReason, string>> = {
  'other-guild': 'This belongs to the guild that was exported. Choose one of this guild.',
  'unknown-field': 'This version of the service does not know the field.',
  access: 'The access list is not imported: a manager of the guild decides who has access.',
  history: 'Changes are not imported, because their authors cannot be verified.',
  reserved: 'Only the application can change this setting.',
  invalid: 'The value is no longer valid.',
};

/** @param field the name of the setting in the document; the current one unless given */
export function skippedSetting(reason: SkipReason, setting: Setting, value: unknown, field?: string): SkippedField {
  const skippedField = skipped(reason, ['settings', ...pathOf(setting, field)], value);
  return reason === 'other-guild' ? { ...skippedField, detail: foreignDetail(setting) } : skippedField;
}

function foreignDetail({ declared: { kind } }: Setting): string {
  const what = kind === 'table' ? 'A channel, role, user or emoji in it' : `The ${kind}`;
  return `${what} belongs to the guild that was exported. Choose one of this guild.`;
}

export function skippedUnknown(field: string, value: unknown): SkippedField {
  return skipped('unknown-field', ['settings', ...field.split('.')], value);
}

/** Returns the names of the settings among skipped fields: `custom.xpRate`. */
export function settingsIn(skippedFields: readonly SkippedField[]): string[] {
  return skippedFields.flatMap(({ pointer }) => {
    const [, part, ...path] = pointer.split('/');
    return part === 'settings' ? [path.join('.')] : [];
  });
}

export function skipped(reason: SkipReason, path: readonly string[], value?: unknown): SkippedField {
  const field = path.at(-1) ?? '';
  return { field, pointer: pointerTo(path), ...(value !== undefined && { value }), reason, detail: DETAILS[reason] };
}
