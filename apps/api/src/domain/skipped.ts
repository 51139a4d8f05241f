import { pointerTo, type Setting, type SkippedField, type SkipReason } from '@guild-settings/contract';
import { pathOf } from './setting-rules.ts';

const DETAILS: Readonly<Record<SkipReason | 'other-guild-role', string>> = {
  'other-guild': 'The channel belongs to the guild that was exported. Choose one of this guild.',
  'other-guild-role': 'The role belongs to the guild that was exported. Choose one of this guild.',
  'unknown-field': 'This version of the service does not know the field.',
  access: 'The access list is not imported: a manager of the guild decides who has access.',
  history: 'Changes are not imported, because their authors cannot be verified.',
  reserved: 'Only the application can change this setting.',
  invalid: 'The value is not valid any more.',
};

export function skippedSetting(reason: SkipReason, setting: Setting, value: unknown): SkippedField {
  const detail = reason === 'other-guild' && setting.declared.kind === 'role' ? 'other-guild-role' : reason;
  return { ...skipped(reason, ['settings', ...pathOf(setting)], value), detail: DETAILS[detail] };
}

export function skippedUnknown(field: string, value: unknown): SkippedField {
  return skipped('unknown-field', ['settings', ...field.split('.')], value);
}

/** Returns the settings among skipped fields, by their fields: `custom.xpRate`. */
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
