import {
  type GuildId,
  type GuildSettings,
  type ImportDocument,
  pointerTo,
  type SkippedField,
  type SkipReason,
  settingsOf,
  unknownFieldsOf,
} from '@guild-settings/contract';

/** What importing a document would do. */
export interface ImportPlan {
  readonly patch: Partial<GuildSettings>;
  /** The fields that are left alone. */
  readonly skipped: SkippedField[];
}

const DETAILS: Readonly<Record<SkipReason, string>> = {
  'other-guild': 'The channel belongs to the guild that was exported. Choose one of this guild.',
  'unknown-field': 'This version of the service does not know the field.',
  history: 'Changes are not imported, because their authors cannot be proven.',
};

/** Plans the import of a document into a guild: what cannot exist there is left alone, and named. */
export function planImport({ history, ...document }: ImportDocument, guildId: GuildId): ImportPlan {
  const { announcement_channel: channel, ...patch } = settingsOf(document.settings);
  // A channel belongs to one guild. That there is none can be imported.
  const isForeign = document.guild !== guildId && channel !== undefined && channel !== '';
  return {
    patch: { ...patch, ...(channel !== undefined && !isForeign && { announcement_channel: channel }) },
    skipped: [
      ...(isForeign ? [skipped('other-guild', ['settings', 'announcement_channel'], channel)] : []),
      ...unknownFieldsOf(document).map(({ path, value }) => skipped('unknown-field', path, value)),
      ...(history === undefined ? [] : [skipped('history', ['history'])]),
    ],
  };
}

function skipped(reason: SkipReason, path: readonly string[], value?: unknown): SkippedField {
  const field = path.at(-1) ?? '';
  return { field, pointer: pointerTo(path), ...(value !== undefined && { value }), reason, detail: DETAILS[reason] };
}
