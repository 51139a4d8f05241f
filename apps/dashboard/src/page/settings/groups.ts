import { CUSTOM, type Setting, textIn } from '@guild-settings/contract/settings';
import { fieldLabel } from '@guild-settings/i18n';
import { FEATURES, isFeatures } from '../draft/fields.ts';
import { inOrderOfPage, type ValueWords } from './value-text.ts';

/** Number of declared settings from which on each section is a separate page. */
const PAGED_FROM = 12;

/** The path of the features. It cannot collide with a group, because names of groups have no hyphens. */
const FEATURES_PATH = 'enabled-features';

export interface Section {
  /** The id of its element. */
  readonly id: string;
  /** The name in URLs; undefined: the first page, whose URL is that of the guild. */
  readonly path: string | undefined;
  /** Undefined: the only section of its kind, which needs no heading. */
  readonly heading?: string | undefined;
  readonly description?: string | undefined;
  /** The switch that dims the settings while it is off. */
  readonly enabledBy?: Setting | undefined;
  readonly settings: readonly Setting[];
}

export interface Groups {
  readonly sections: readonly Section[];
  /** True: one section is shown at a time. */
  readonly isPaged: boolean;
  /** The settings by all of their present and former names in the history. */
  readonly byField: ReadonlyMap<string, Setting>;
}

/** Returns the groups of a team, with the settings without a group and the features around them. */
export function groupsOf(words: Pick<ValueWords, 'settings' | 't' | 'shared' | 'language'>): Groups {
  const { settings: declared, t, language } = words;
  const all = inOrderOfPage(declared);
  if (declared.custom === undefined) {
    const isSwitched = (setting: Setting) => isFeatures(setting) || setting.kind.control === 'switch';
    const sections = [
      { id: 'chosen', path: undefined, settings: all.filter((setting) => !isSwitched(setting)) },
      { id: 'switched', path: undefined, settings: all.filter(isSwitched) },
    ];
    return { sections, isPaged: false, byField: declared.byField };
  }
  const groups = declared.declaration?.groups ?? {};
  const groupOf = ({ declared: { group = '' } }: Setting) => (Object.hasOwn(groups, group) ? group : undefined);
  const sections: Section[] = [
    {
      id: 'general',
      path: undefined,
      heading: t('sections.general'),
      settings: all.filter((setting) => !isFeatures(setting) && groupOf(setting) === undefined),
    },
    ...Object.entries(groups).map(([name, { label, description, enabledBy }]) => ({
      id: `group-${name}`,
      path: name,
      heading: textIn(label, language) ?? name,
      description: textIn(description, language),
      enabledBy: enabledBy === undefined ? undefined : declared.byField.get(`custom.${enabledBy}`),
      settings: all.filter((setting) => groupOf(setting) === name),
    })),
    {
      id: 'features',
      path: FEATURES_PATH,
      heading: fieldLabel(FEATURES.field, words),
      settings: all.filter(isFeatures),
    },
  ];
  return {
    sections: sections.filter(({ settings }) => settings.length > 0),
    isPaged: declared.custom.length >= PAGED_FROM,
    byField: declared.byField,
  };
}

/** Returns the settings that are rows of a section that is a page. The switch of the group is in its header. */
export function rowsOf({ settings, enabledBy }: Section): readonly Setting[] {
  return settings.filter((setting) => setting !== enabledBy);
}

/** The parts of a settings URL that determine what is shown. */
export interface Address {
  readonly group?: string | undefined;
  /** The name of a setting, or its field: `xpRate`, `custom.xpRate`. Names of specified settings take precedence. */
  readonly setting?: string | undefined;
  /** The id of a section, or the name of a setting. */
  readonly hash?: string | undefined;
}

export interface Addressed {
  readonly section: Section;
  /** The setting that gets the focus; undefined: the URL names no existing one. */
  readonly setting: Setting | undefined;
  /** False: the URL names no existing section, and the first one is shown. */
  readonly isNamed: boolean;
}

/** Returns the targets of a URL. A setting is found in its present section. */
export function addressedIn(
  { sections, byField }: Groups,
  { group, setting: name = '', hash = '' }: Address,
): Addressed {
  const setting = [name, hash].map((text) => byField.get(text) ?? byField.get(`${CUSTOM}${text}`)).find(Boolean);
  const section =
    sections.find(({ settings }) => setting !== undefined && settings.includes(setting)) ??
    sections.find(({ path }) => path !== undefined && path === group) ??
    sections.find(({ id }) => id === hash);
  return {
    // There is always a section: that of the specified settings.
    section: section ?? (sections[0] as Section),
    setting,
    isNamed: section !== undefined,
  };
}
