import type { Setting } from '@guild-settings/contract/settings';
import { fieldLabel } from '@guild-settings/i18n';
import type { MouseEvent, ReactNode } from 'react';
import field from '../design/field.module.css';
import { Icon } from '../design/icons.tsx';
import { FEATURES, settingOf } from '../draft/fields.ts';
import { useDraftPart } from '../draft/use-draft.ts';
import styles from './section-list.module.css';
import type { Section } from './sections.ts';
import { useSettings } from './settings-context.ts';

const SEARCHED_FROM = 40;

interface SectionListProps {
  readonly sections: readonly Section[];
  readonly found: ReadonlySet<Setting>;
  readonly query: string;
  readonly onSearch: (query: string) => void;
}

/** The groups of settings, each with the number of its unsaved changes, and a search where there are many settings. */
export function SectionList({ sections, found, query, onSearch }: SectionListProps): ReactNode {
  const { words } = useSettings();
  const { t } = words;
  return (
    <nav className={styles.list} aria-label={t('sections.list')}>
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
