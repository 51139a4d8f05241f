import { counted, type DeclaredSettings, fits, flawsOf, type SettingValue } from '@guild-settings/contract/settings';
import type { DatabaseConfig } from '@guild-settings/runtime/environment';
import { kindOf } from '../domain/serve-declaration.ts';
import { openSettingsReader } from '../store/read-settings.ts';

const CUSTOM = 'custom.';

export async function compareDeclaration(database: DatabaseConfig, settings: DeclaredSettings): Promise<string[]> {
  const reader = await openSettingsReader(database);
  try {
    const served = await reader.readDeclaration();
    const { set, invalid, guilds } = await count(reader.all(), settings);
    const kinds = served?.kinds ?? {};
    const lines = (settings.custom ?? []).flatMap((setting) => {
      const { field } = setting;
      const before = kinds[field];
      const kind = kindOf(setting);
      const [users, unfit] = [counted(set.get(field) ?? 0, 'guild'), invalid.get(field) ?? 0];
      if (before === undefined)
        return [`+ ${field}: new (${kind}); the default applies in ${counted(guilds, 'guild')}`];
      if (before !== kind && set.has(field)) {
        return [
          `! ${field}: was ${before}, is ${kind}, set in ${users}: the service will not start. Declare it as it was, or under a new name`,
        ];
      }
      return unfit === 0
        ? []
        : [`~ ${field}: not valid any more in ${counted(unfit, 'guild')}, where it stays until it is changed`];
    });
    const gone = Object.keys(kinds).filter((field) => field.startsWith(CUSTOM) && !settings.byField.has(field));
    const sleeping = gone.map(
      (field) => `- ${field}: not declared; the values in ${counted(set.get(field) ?? 0, 'guild')} sleep`,
    );
    const changes = [...lines, ...sleeping];
    const head =
      served === null ? 'This database has not been served with a declaration yet.' : `Last served: ${served.tag}.`;
    return [head, ...(changes.length === 0 ? ['Nothing changes for the settings that guilds have.'] : changes)];
  } finally {
    await reader.close();
  }
}

/** Counts the guilds, those that have set each field, and those whose value is not valid by the declaration. */
async function count(all: AsyncIterable<Readonly<Record<string, unknown>>>, settings: DeclaredSettings) {
  const [set, invalid] = [new Map<string, number>(), new Map<string, number>()];
  let guilds = 0;
  for await (const values of all) {
    guilds += 1;
    for (const [field, value] of Object.entries(values)) {
      set.set(field, (set.get(field) ?? 0) + 1);
      const setting = settings.byField.get(field);
      const isValid =
        setting === undefined || (fits(setting, value) && flawsOf(setting, value as SettingValue).length === 0);
      if (!isValid) invalid.set(field, (invalid.get(field) ?? 0) + 1);
    }
  }
  return { set, invalid, guilds };
}
