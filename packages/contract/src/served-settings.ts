import { z } from 'zod';
import { RecordSettings } from './guild.ts';
import type { FeatureDeclaration, GroupDeclaration } from './settings/declaration.ts';
import type { SettingDeclaration } from './settings/setting-declaration.ts';

/** Returns the schema of declarations by name, which readers accept unchecked: later versions add options. */
function byName<Declared>(description: string) {
  return z.record(z.string(), z.looseObject({}) as unknown as z.ZodType<Declared, Declared>).meta({ description });
}

/** The settings of a deployment: its declaration, and the defaults of the specified settings. */
export const ServedSettings = z
  .strictObject({
    tag: z
      .string()
      .nullable()
      .meta({ maxLength: 64, description: 'Identifies the declaration in entity tags; null: nothing is declared.' }),
    groups: byName<GroupDeclaration>('The groups in which settings are shown.'),
    settings: byName<SettingDeclaration>('The declared settings, in the order of the record.'),
    features: byName<FeatureDeclaration>('The declared names for `enabledFeatures`.'),
    defaults: z.strictObject(RecordSettings.shape).meta({ description: 'Defaults of the specified settings.' }),
  })
  .meta({ id: 'ServedSettings', title: 'ServedSettings', description: 'The settings of a deployment.' });
export type ServedSettings = z.infer<typeof ServedSettings>;
