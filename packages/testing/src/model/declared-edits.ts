import type { Declaration } from '@guild-settings/contract/settings';
import type { ModelRules } from './declared-rules.ts';
import { type DeclarationEdit, type Edit, POOL, valueAt } from './declared-steps.ts';

/** The settings in a body. */
export type Body = Readonly<Record<string, unknown>>;

/** Returns the settings that edits name. Names that are not declared are among them. */
export function edited({ edits }: { readonly edits: readonly Edit[] }, rules: ModelRules): Body {
  const unknown = ['sleeping', ...Object.keys(POOL)].filter((name) => rules.setting(`custom.${name}`) === undefined);
  const custom: Record<string, unknown> = {};
  const body: Record<string, unknown> = {};
  for (const { setting: at, value } of edits) {
    const setting = rules.settings[at % (rules.settings.length + 1)];
    if (setting === undefined) custom[unknown[value % unknown.length] ?? ''] = 1;
    else (setting.isCustom ? custom : body)[setting.path.at(-1) ?? ''] = valueAt(setting, value);
  }
  return { ...body, ...(Object.keys(custom).length > 0 && { custom }) };
}

/** Returns settings with others in their places. */
export function merged(settings: { readonly custom?: object }, others: { readonly custom?: object }): Body {
  const custom = (settings.custom ?? others.custom) && { ...settings.custom, ...others.custom };
  return { ...settings, ...others, ...(custom && { custom }) };
}

/** Returns a declaration after an edit. */
export function editedDeclaration(declaration: Declaration, edit: DeclarationEdit): Declaration {
  const { settings = {} } = declaration;
  switch (edit.type) {
    case 'put': {
      const variants = POOL[edit.setting] ?? [];
      const variant = variants[edit.variant % variants.length];
      return variant ? { ...declaration, settings: { ...settings, [edit.setting]: variant } } : declaration;
    }
    case 'drop': {
      const { [edit.setting]: _, ...others } = settings;
      return { ...declaration, settings: others };
    }
    case 'first': {
      const { [edit.setting]: first, ...others } = settings;
      return first ? { ...declaration, settings: { [edit.setting]: first, ...others } } : declaration;
    }
    case 'defaults':
      return { ...declaration, ...(edit.defaults && { defaults: edit.defaults }) };
    case 'remove':
      return declaration;
  }
}
