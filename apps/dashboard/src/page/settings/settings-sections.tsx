import { folded, type Setting, textIn } from '@guild-settings/contract/settings';
import { fieldLabel } from '@guild-settings/i18n';
import { type MouseEvent, type ReactNode, useMemo } from 'react';
import { SettingControl } from '../controls/setting-control.tsx';
import { classNames } from '../design/button.tsx';
import field from '../design/field.module.css';
import { Icon } from '../design/icons.tsx';
import { Card } from '../design/panels.tsx';
import { shownValue } from '../draft/draft.ts';
import { FEATURES, isFeatures, settingOf } from '../draft/fields.ts';
import { SettingValue } from './setting.tsx';
import styles from './settings.module.css';
import { descriptionOf, useDraftPart, useSettings } from './settings-context.ts';
import { inOrderOfPage, type ValueWords } from './value-text.ts';

interface SettingsSectionsProps {
  readonly isReadOnly: boolean;
  readonly query: string;
  readonly onSearch: (query: string) => void;
}

/** The settings in cards, beside them a list of the groups. A search hides what it does not find, and keeps what was typed there. */
export function SettingsSections({ isReadOnly, query, onSearch }: SettingsSectionsProps): ReactNode {
  const { words } = useSettings();
  const sections = useMemo(() => sectionsOf(words), [words]);
  const found = useMemo(() => matching(sections, query, words), [sections, query, words]);
  const cards = sections.map((section) => (
    <SectionCard key={section.id} section={section} found={found} isReadOnly={isReadOnly} />
  ));
  if (sections.every(({ heading }) => heading === undefined)) return cards;
  return (
    <div className={styles.columns}>
      <SectionList sections={sections} found={found} query={query} onSearch={onSearch} />
      <div className={styles.form}>
        {found.size === 0 && <p role="status">{words.t('sections.noMatch')}</p>}
        {cards}
      </div>
    </div>
  );
}

interface Section {
  readonly id: string;
  readonly heading?: string;
  readonly description?: string | undefined;
  /** The switch that dims the settings while it is off. */
  readonly enabledBy?: Setting | undefined;
  readonly settings: readonly Setting[];
}

/** Returns the sections of the page: the groups of a team, and around them the settings without one, and the features. */
function sectionsOf({ settings: declared, t, language }: ValueWords): readonly Section[] {
  const all = inOrderOfPage(declared);
  if (declared.custom === undefined) {
    const isSwitched = (setting: Setting) => isFeatures(setting) || setting.kind.control === 'switch';
    return [
      { id: 'chosen', settings: all.filter((setting) => !isSwitched(setting)) },
      { id: 'switched', settings: all.filter(isSwitched) },
    ];
  }
  const groups = declared.declaration?.groups ?? {};
  const groupOf = ({ declared: { group = '' } }: Setting) => (Object.hasOwn(groups, group) ? group : undefined);
  const sections: Section[] = [
    {
      id: 'general',
      heading: t('sections.general'),
      settings: all.filter((setting) => !isFeatures(setting) && groupOf(setting) === undefined),
    },
    ...Object.entries(groups).map(([name, { label, description, enabledBy }]) => ({
      id: `group-${name}`,
      heading: textIn(label, language) ?? name,
      description: textIn(description, language),
      enabledBy: enabledBy === undefined ? undefined : declared.byField.get(`custom.${enabledBy}`),
      settings: all.filter((setting) => groupOf(setting) === name),
    })),
    { id: 'features', settings: all.filter(isFeatures) },
  ];
  return sections.filter(({ settings }) => settings.length > 0);
}

/** Returns the settings that a search finds: by their names, what they do, and the names of their groups. */
function matching(sections: readonly Section[], query: string, words: ValueWords): ReadonlySet<Setting> {
  const wanted = folded(query).split(/\s+/);
  const found = sections.flatMap(({ heading = '', settings }) =>
    settings.filter((setting) => {
      const texts = [fieldLabel(setting.field, words), descriptionOf(setting, words), setting.name, heading];
      const text = folded(texts.join('\n'));
      return wanted.every((word) => text.includes(word));
    }),
  );
  return new Set(found);
}

interface SectionCardProps {
  readonly section: Section;
  readonly found: ReadonlySet<Setting>;
  readonly isReadOnly: boolean;
}

function SectionCard({ section, found, isReadOnly }: SectionCardProps): ReactNode {
  const { id, heading, description, enabledBy, settings } = section;
  const hasRows = heading !== undefined || isReadOnly || !settings.some(isSwitch);
  return (
    <Card
      id={id}
      aria-labelledby={heading === undefined ? undefined : `${id}-heading`}
      className={classNames(styles.rows, isReadOnly && styles.values)}
      data-layout={hasRows ? 'rows' : undefined}
      hidden={!settings.some((setting) => found.has(setting))}
    >
      {heading !== undefined && (
        <header className={styles.header}>
          <h2 id={`${id}-heading`} tabIndex={-1}>
            {heading}
          </h2>
          {description !== undefined && <p className={styles.help}>{description}</p>}
          {enabledBy !== undefined && <SwitchedOff setting={enabledBy} />}
        </header>
      )}
      {settings.map((setting) => (
        <div key={setting.field} hidden={!found.has(setting)}>
          {isReadOnly ? <SettingValue setting={setting} /> : <SettingControl setting={setting} />}
        </div>
      ))}
    </Card>
  );
}

const isSwitch = ({ kind }: Setting) => kind.control === 'switch';

/** The switch that dims a group. The settings of the group stay visible, editable and validated. */
function SwitchedOff({ setting }: { readonly setting: Setting }): ReactNode {
  const { store, words } = useSettings();
  const isOn = useDraftPart(store, (draft) => shownValue(draft, setting.field) ?? setting.default) === true;
  if (isOn) return null;
  return (
    <p className={styles.off} data-off="">
      {words.t(setting.declared.setBy === 'application' ? 'sections.offLocked' : 'sections.off', {
        field: textIn(setting.declared.label, words.language),
      })}
    </p>
  );
}

const SEARCHED_FROM = 40;

interface SectionListProps {
  readonly sections: readonly Section[];
  readonly found: ReadonlySet<Setting>;
  readonly query: string;
  readonly onSearch: (query: string) => void;
}

/** The groups of settings, each with the number of its unsaved changes, and a search where there are many settings. */
function SectionList({ sections, found, query, onSearch }: SectionListProps): ReactNode {
  const { words } = useSettings();
  const { t } = words;
  return (
    <nav className={styles.sectionsList} aria-label={t('sections.list')}>
      {words.settings.all.length >= SEARCHED_FROM && (
        <search className={field.group}>
          <input
            type="search"
            aria-label={t('sections.search')}
            placeholder={t('sections.search')}
            autoComplete="off"
            className={field.input}
            value={query}
            onChange={(event) => onSearch(event.currentTarget.value)}
            // The key that ends a search does not save.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
          <Icon name="search" />
        </search>
      )}
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari takes a list without marks for none. */}
      <ul role="list" className={styles.links}>
        {sections
          .filter(({ settings }) => settings.some((setting) => found.has(setting)))
          .map((section) => (
            <li key={section.id}>
              <SectionLink section={section} />
            </li>
          ))}
      </ul>
    </nav>
  );
}

function SectionLink({ section: { id, heading, settings } }: { readonly section: Section }): ReactNode {
  const { store, words } = useSettings();
  const fields = new Set(settings.map((setting) => setting.field));
  const changed = useDraftPart(
    store,
    ({ edits }) => new Set([...edits.keys()].map(settingOf).filter((field) => fields.has(field))).size,
  );
  const go = (event: MouseEvent) => {
    // The address stays: it names a page, and the router takes each one for a move.
    event.preventDefault();
    const target = document.getElementById(id);
    target?.scrollIntoView();
    target?.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
  };
  return (
    <a href={`#${id}`} className={styles.link} onClick={go}>
      <bdi>{heading ?? fieldLabel(FEATURES.field, words)}</bdi>
      {changed > 0 && (
        <span className={styles.count}>
          {changed}
          <span className="visually-hidden"> {words.t('sections.unsaved')}</span>
        </span>
      )}
    </a>
  );
}
