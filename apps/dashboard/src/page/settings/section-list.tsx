import { fieldLabel } from '@guild-settings/i18n';
import { type MouseEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { classNames } from '../design/button.tsx';
import field from '../design/field.module.css';
import { Icon } from '../design/icons.tsx';
import { useAnnouncement } from '../design/panels.tsx';
import { Filled, UNFILLED } from '../i18n/filled.tsx';
import type { Section } from './groups.ts';
import { changedByOthersAt, changedIn, isSwitchedOn, isWrong, search } from './section-state.ts';
import styles from './settings.module.css';
import { useDraftPart, useSettings } from './settings-context.ts';
import { focusOn, SettingsLink, useShowSetting } from './settings-link.tsx';

/** The groups of a page that shows all of them. */
export function SectionList(): ReactNode {
  const { words, groups } = useSettings();
  return (
    <nav className={styles.sectionsList} aria-label={words.t('sections.list')}>
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers. */}
      <ul role="list" className={styles.links}>
        {groups.sections.map((section) => (
          <li key={section.id}>
            <a href={`#${section.id}`} className={styles.link} onClick={(event) => scrollTo(event, section)}>
              <bdi>{section.heading}</bdi>
              <Marks section={section} isSeen />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function scrollTo(event: MouseEvent, section: Section): void {
  // The URL stays the same: it names a page, and the router would treat each one as a navigation.
  event.preventDefault();
  showSection(section);
}

/** Scrolls to a section, and focuses its heading. */
export function showSection({ id }: Section): void {
  const target = document.getElementById(id);
  target?.scrollIntoView();
  focusHeading(target);
}

export function focusHeading(section: HTMLElement | null): void {
  const heading = section?.querySelector<HTMLElement>('h2');
  if (heading) focusOn(heading);
}

/**
 * The groups if each is a separate page, with a search over all settings. Without space beside the page, a button opens
 * the list.
 */
export function SectionMenu({ shown }: { readonly shown: Section }): ReactNode {
  const { words, groups } = useSettings();
  const { t } = words;
  const id = useId();
  const [query, setQuery] = useState('');
  const [isOpen, setOpen] = useState(false);
  const seen = useSeen(shown);
  return (
    <nav className={styles.sectionsList} aria-label={t('sections.list')}>
      <SearchField query={query} onChange={setQuery} />
      {query.trim() === '' ? (
        <>
          <button
            type="button"
            className={classNames(field.input, styles.opener)}
            aria-label={words.shared('labelled', { label: t('sections.list'), value: shown.heading })}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            <bdi>{shown.heading}</bdi>
            <Icon name="chevron" />
          </button>
          {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers. */}
          <ul role="list" id={id} className={styles.pages} data-closed={isOpen ? undefined : ''}>
            {groups.sections.map((section) => (
              <li key={section.id}>
                <SettingsLink
                  section={section}
                  isCurrent={section === shown}
                  className={styles.link}
                  onClick={() => setOpen(false)}
                >
                  <bdi>{section.heading}</bdi>
                  <Marks section={section} isSeen={section === shown} seenAt={seen.get(section.id)} />
                </SettingsLink>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <Results query={query} onChosen={() => setQuery('')} />
      )}
    </nav>
  );
}

/** Returns the revision up to which the person has seen each section that they have left. */
function useSeen(shown: Section): ReadonlyMap<string, number> {
  const { store } = useSettings();
  const [seen, setSeen] = useState<ReadonlyMap<string, number>>(new Map());
  useEffect(
    () => () => {
      const { upTo } = store.read().theirs;
      setSeen((now) => new Map(now).set(shown.id, upTo));
    },
    [store, shown.id],
  );
  return seen;
}

interface SearchFieldProps {
  readonly query: string;
  readonly onChange: (query: string) => void;
}

function SearchField({ query, onChange }: SearchFieldProps): ReactNode {
  const { guild, words, groups } = useSettings();
  const show = useShowSetting(guild);
  const label = words.t('sections.search');
  return (
    <search className={field.group}>
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        dir="auto"
        className={field.input}
        value={query}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
          // The key that ends an input method's composition is not meant for the search. Enter never saves here.
          if (event.key !== 'Enter') return;
          event.preventDefault();
          const [first] = search(groups, query, words);
          if (event.nativeEvent.isComposing || query.trim() === '' || first === undefined) return;
          onChange('');
          show(first.section, first.setting);
        }}
      />
      <Icon name="search" />
    </search>
  );
}

function Results({ query, onChosen }: { readonly query: string; readonly onChosen: () => void }): ReactNode {
  const { words, groups } = useSettings();
  const { t } = words;
  const found = search(groups, query, words);
  const text = found.length === 0 ? t('sections.noMatch') : t('sections.found', { count: found.length });
  useAnnouncement(text);
  return (
    <>
      <p className={styles.help}>{text}</p>
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers. */}
      <ul role="list" className={styles.results}>
        {found.map(({ section, setting }) => (
          <li key={setting.field}>
            <SettingsLink section={section} setting={setting} className={styles.link} onClick={onChosen}>
              <span>
                <bdi>{fieldLabel(setting.field, words)}</bdi>
                <bdi className={styles.help}>{section.heading}</bdi>
              </span>
            </SettingsLink>
          </li>
        ))}
      </ul>
    </>
  );
}

interface MarksProps {
  readonly section: Section;
  /** True: changes by others are shown at their settings. */
  readonly isSeen: boolean;
  /** The revision up to which the person has seen the section; undefined: that with which the page was opened. */
  readonly seenAt?: number | undefined;
}

/** The state of a section: changes by others, unsaved changes, errors, and its switch. */
function Marks({ section, isSeen, seenAt = 0 }: MarksProps): ReactNode {
  const { guild, store, issues, words } = useSettings();
  const { t } = words;
  const changed = useDraftPart(store, (draft) => changedIn(section, draft));
  const isOn = useDraftPart(store, (draft) => isSwitchedOn(section, draft));
  const byOthers = useDraftPart(store, (draft) => changedByOthersAt(section, draft) > seenAt) && !isSeen;
  const hasWrong = useDraftPart(store, (draft) =>
    section.settings.some((setting) => isWrong(setting, draft, issues, { guild, words })),
  );
  return (
    <span className={styles.marks}>
      {byOthers && (
        <span className={styles.others} role="img" aria-label={t('sections.byOthers')} title={t('sections.byOthers')} />
      )}
      {hasWrong && (
        <span className={styles.wrong} title={t('sections.wrong')}>
          <Icon name="warning" size="1rem" />
          <span className="visually-hidden">{t('sections.wrong')}</span>
        </span>
      )}
      {changed > 0 && (
        <span className={styles.count}>
          <Filled isSpoken text={t('sections.unsaved', UNFILLED)} slots={{ number: changed }} />
        </span>
      )}
      {isOn !== undefined && (
        <span className={styles.state} data-on={isOn || undefined}>
          {words.shared(isOn ? 'value.on' : 'value.off')}
        </span>
      )}
    </span>
  );
}
