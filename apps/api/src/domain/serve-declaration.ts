import { counted, type DeclaredSettings, type Setting } from '@guild-settings/contract';
import type { DeclarationStore, ServedDeclaration } from '../store/store.ts';

/** Thrown at start for settings whose kind has changed while guilds have values of the other kind. */
export class ChangedKindError extends Error {
  override readonly name = 'ChangedKindError';

  constructor(changed: readonly ChangedKind[]) {
    const lines = changed.map(
      ({ field, from, to, guilds }) => `- ${field}: was ${from}, is ${to}, set in ${counted(guilds, 'guild')}`,
    );
    super(
      `The declaration gives settings another kind than the values in the database have:\n${lines.join('\n')}\n` +
        'Declare the setting as it was, or under a new name, and import the old values to it.',
    );
  }
}

export interface ChangedKind {
  readonly field: string;
  readonly from: string;
  readonly to: string;
  readonly guilds: number;
}

export function kindOf({ declared, many }: Setting): string {
  return many === undefined ? declared.kind : `list of ${declared.kind}`;
}

async function changedKinds(
  store: DeclarationStore,
  custom: readonly Setting[],
  kinds: ServedDeclaration['kinds'],
): Promise<readonly ChangedKind[]> {
  const changed = custom.flatMap((setting) => {
    const { field } = setting;
    const from = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
    const to = kindOf(setting);
    return from === undefined || from === to ? [] : [{ field, from, to }];
  });
  const counts = await store.countSet(changed.map(({ field }) => field));
  return changed.flatMap((one) => {
    const guilds = counts[one.field] ?? 0;
    return guilds === 0 ? [] : [{ ...one, guilds }];
  });
}

/**
 * Compares a declaration with that which the database was served with last, and records it. The kinds of settings that are not
 * declared any more are kept: their values sleep.
 * @throws ChangedKindError
 */
export async function serveDeclaration(store: DeclarationStore, settings: DeclaredSettings): Promise<void> {
  const { tag, custom = [] } = settings;
  if (tag === undefined) return;
  const last = await store.readDeclaration();
  const changed = await changedKinds(store, custom, last?.kinds ?? {});
  if (changed.length > 0) throw new ChangedKindError(changed);
  const kinds = { ...last?.kinds, ...Object.fromEntries(custom.map((setting) => [setting.field, kindOf(setting)])) };
  const served: ServedDeclaration = { tag, kinds };
  if (JSON.stringify(served) !== JSON.stringify(last)) await store.recordDeclaration(served);
}
