import type { DeclaredSettings, ServedSettings } from '@guild-settings/contract';
import { documentHandler } from './handler.ts';

export const readSettings = documentHandler(served);

function served(declared: DeclaredSettings): ServedSettings {
  const { groups = {}, settings = {}, features = {} } = declared.declaration ?? {};
  const { custom: _, ...defaults } = declared.effective({});
  return { tag: declared.tag ?? null, groups, settings, features, defaults };
}
