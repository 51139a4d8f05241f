import { type Setting, textIn } from '@guild-settings/contract/settings';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { SettingControl } from '../controls/setting-control.tsx';
import { classNames } from '../design/button.tsx';
import { Card } from '../design/panels.tsx';
import { shownValue } from '../draft/draft.ts';
import { type Addressed, rowsOf, type Section } from './groups.ts';
import { focusHeading, SectionList, SectionMenu, showSection } from './section-list.tsx';
import { SettingValue } from './setting.tsx';
import styles from './settings.module.css';
import { useDraftPart, useSettings } from './settings-context.ts';
import { focusSetting, placeOf } from './settings-link.tsx';

interface SettingsSectionsProps {
  readonly isReadOnly: boolean;
  readonly addressed: Addressed;
}

/** The settings in cards with a list of the groups beside them: all groups, or the one in the URL. */
export function SettingsSections({ isReadOnly, addressed }: SettingsSectionsProps): ReactNode {
  const { sections, isPaged } = useSettings().groups;
  const { section: shown } = addressed;
  useFocusOfAddress(addressed);
  const cards = (isPaged ? [shown] : sections).map((section) => (
    <SectionCard key={section.id} section={section} isReadOnly={isReadOnly} isPage={isPaged} />
  ));
  if (sections.every(({ heading }) => heading === undefined)) return cards;
  return (
    <div className={styles.columns}>
      {isPaged ? <SectionMenu shown={shown} /> : <SectionList />}
      <div className={styles.form}>{cards}</div>
    </div>
  );
}

/** Focuses the target of the URL: a setting, or the header of a section that is opened. */
function useFocusOfAddress({ section, setting, isNamed }: Addressed): void {
  const { guild, groups } = useSettings();
  const navigate = useNavigate();
  const shown = useRef<string>(undefined);
  const focus = useEffectEvent(() => {
    const before = shown.current;
    shown.current = section.id;
    if (setting !== undefined) {
      focusSetting(setting);
      // If the page is rebuilt later, the focus stays where the person is then.
      const place = groups.isPaged ? placeOf(guild, section) : ({ to: '/guilds/$guild', params: { guild } } as const);
      void navigate({ ...place, replace: true, resetScroll: false });
    } else if (groups.isPaged && before !== undefined && before !== section.id) {
      focusHeading(document.getElementById(section.id));
    } else if (!groups.isPaged && isNamed) {
      showSection(section);
    }
  });
  useEffect(() => focus(), [section.id, setting?.field]);
}

interface SectionCardProps {
  readonly section: Section;
  readonly isReadOnly: boolean;
  readonly isPage: boolean;
}

function SectionCard({ section, isReadOnly, isPage }: SectionCardProps): ReactNode {
  const { id, heading, description, enabledBy, settings } = section;
  const hasRows = heading !== undefined || isReadOnly || !settings.some(isSwitch);
  const showsSwitch = isPage && enabledBy !== undefined;
  const rowOf = (setting: Setting) =>
    isReadOnly ? <SettingValue setting={setting} /> : <SettingControl setting={setting} />;
  return (
    <Card
      id={id}
      aria-labelledby={heading === undefined ? undefined : `${id}-heading`}
      className={classNames(styles.rows, isReadOnly && styles.values)}
      data-layout={hasRows ? 'rows' : undefined}
    >
      {heading !== undefined && (
        <header className={styles.header}>
          <div className={showsSwitch ? styles.head : undefined}>
            <h2 id={`${id}-heading`} tabIndex={-1} dir="auto">
              {heading}
            </h2>
            {showsSwitch && rowOf(enabledBy)}
          </div>
          {description !== undefined && (
            <p className={styles.help} dir="auto">
              {description}
            </p>
          )}
          {enabledBy !== undefined && <SwitchedOff setting={enabledBy} />}
        </header>
      )}
      {(isPage ? rowsOf(section) : settings).map((setting) => (
        <div key={setting.field}>{rowOf(setting)}</div>
      ))}
    </Card>
  );
}

const isSwitch = ({ kind }: Setting) => kind.control === 'switch';

/** The switch that dims a group. The settings of the group stay visible, editable and validated. */
function SwitchedOff({ setting }: { readonly setting: Setting }): ReactNode {
  const { store, words } = useSettings();
  const isOn = useDraftPart(store, (draft) => shownValue(draft, setting.shownField) ?? setting.default) === true;
  if (isOn) return null;
  return (
    <p className={styles.off} data-off="">
      {words.t(setting.declared.setBy === 'application' ? 'sections.offLocked' : 'sections.off', {
        field: textIn(setting.declared.label, words.language),
      })}
    </p>
  );
}
