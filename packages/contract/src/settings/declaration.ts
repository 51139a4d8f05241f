import type { SettingDeclaration, SettingValue, Texts, ValueOf } from './setting-declaration.ts';
import type { SPECIFIED } from './specified.ts';

/** A group of settings that are shown together. */
export interface GroupDeclaration {
  readonly label: Texts;
  readonly description?: Texts;
  /** The switch that dims the group while it is off. */
  readonly enabledBy?: string;
}

export interface FeatureDeclaration {
  readonly label: Texts;
  readonly description?: Texts;
}

/** The settings of a deployment besides the specified ones, as plain data. */
export interface Declaration {
  readonly groups?: Readonly<Record<string, GroupDeclaration>>;
  readonly settings?: Readonly<Record<string, SettingDeclaration>>;
  /** The features in `GET /features`, instead of those of this project's bot. */
  readonly features?: Readonly<Record<string, FeatureDeclaration>>;
  /** Defaults of the specified settings in this deployment. */
  readonly defaults?: { readonly [Name in keyof typeof SPECIFIED]?: ValueOf<(typeof SPECIFIED)[Name]> };
}

/** The names and values of the settings that a team declares. */
export type CustomOf<D extends Declaration> = Declaration extends D
  ? Readonly<Record<string, SettingValue>>
  : D extends { readonly settings: infer Settings }
    ? { readonly [Name in keyof Settings]: ValueOf<Settings[Name]> }
    : Readonly<Record<never, never>>;

/**
 * Returns the declaration of a team's settings, with the types of its names and values. It is validated where it is
 * used: by the service at its start, and by `settings check`.
 */
export function defineSettings<const D extends Declaration>(declaration: D): D {
  return declaration;
}
