import type { Declaration, DeclaredSettings, SettingDeclaration, WatchEvent } from '@guild-settings/contract';

const EVENTS = new WeakMap<DeclaredSettings, WatchEvent>();

/** Returns the declaration as an event: names, kinds, limits and defaults, without texts. Undefined: there is none. */
export function sentDeclaration(settings: DeclaredSettings): WatchEvent | undefined {
  const { declaration, tag } = settings;
  if (declaration === undefined || tag === undefined) return undefined;
  const known = EVENTS.get(settings) ?? { type: 'declaration', tag, declaration: withoutTexts(declaration) };
  EVENTS.set(settings, known);
  return known;
}

function withoutTexts({ settings = {}, defaults }: Declaration): Declaration {
  const entries = Object.entries(settings).map(([name, setting]) => [name, withoutOwnTexts(setting)]);
  return { settings: Object.fromEntries(entries), ...(defaults && { defaults }) };
}

function withoutOwnTexts({
  label: _,
  description: __,
  group: ___,
  ...setting
}: SettingDeclaration): SettingDeclaration {
  const choices = 'choices' in setting && Object.fromEntries(Object.keys(setting.choices).map((name) => [name, {}]));
  return { ...setting, label: {}, ...(choices && { choices }) } as SettingDeclaration;
}
