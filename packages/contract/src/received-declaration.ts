import { z } from 'zod';
import type { Declaration } from './settings/declaration.ts';
import { SPECIFIED_SETTINGS } from './settings/declared-settings.ts';
import { fits, settingOf } from './settings/setting.ts';
import type { SettingDeclaration } from './settings/setting-declaration.ts';

/** The placeholder of a setting that cannot be read, such as one of a later kind: it is left out and named. */
const UNREADABLE = { kind: '', label: {} };

const ReceivedSetting = z.looseObject({ kind: z.string(), label: z.looseObject({}).catch({}) }).catch(UNREADABLE);

const Received = z.object({
  tag: z.string().catch(''),
  declaration: z
    .looseObject({
      settings: z.record(z.string(), ReceivedSetting).catch({}),
      defaults: z.looseObject({}).catch({}),
    })
    .catch({ settings: {}, defaults: {} }),
});

/** Reads a declaration of any version of the service. A part that cannot be read does not affect the others. */
export function readDeclaration(data: unknown): { readonly tag: string; readonly declaration: Declaration } {
  const { tag, declaration } = Received.parse(data);
  const settings = Object.entries(declaration.settings).map(([name, declared]) => {
    const setting = settingOf('custom', name, declared as unknown as SettingDeclaration);
    return [name, setting === undefined || fits(setting, setting.default) ? declared : UNREADABLE];
  });
  const defaults = Object.entries(declaration.defaults).filter(([name, value]) => {
    const setting = SPECIFIED_SETTINGS.byField.get(name);
    return setting === undefined || fits(setting, value);
  });
  return {
    tag,
    declaration: { ...declaration, settings: Object.fromEntries(settings), defaults: Object.fromEntries(defaults) },
  };
}
