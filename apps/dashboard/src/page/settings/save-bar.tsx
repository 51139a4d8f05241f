import type { Setting } from '@guild-settings/contract/settings';
import { commaOf, fieldLabel } from '@guild-settings/i18n';
import { Fragment, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import { useAnnouncement } from '../design/panels.tsx';
import { reset } from '../draft/draft.ts';
import { settingOf } from '../draft/fields.ts';
import { Filled, UNFILLED } from '../i18n/filled.tsx';
import type { Section } from './groups.ts';
import type { Live } from './live.tsx';
import type { Outcome, Refusal, SaveFailure } from './save-outcome.ts';
import { SavedBar, useUndoFailure, useWait } from './saved-bar.tsx';
import { changedIn, isWrong } from './section-state.ts';
import styles from './settings.module.css';
import { hasFlaws, useDraftPart, useSettings, useWholeDraft } from './settings-context.ts';
import { SettingsLink } from './settings-link.tsx';
import { changesText } from './value-text.ts';

interface SaveBarProps {
  readonly live: Live;
  readonly canSave: boolean;
  readonly outcome: Outcome;
}

export function SaveBar({ live, canSave, outcome }: SaveBarProps): ReactNode {
  const draft = useWholeDraft();
  const place = useRef<HTMLDivElement>(null);
  const isShown = draft.hasChanges || draft.isSending || outcome.kind === 'saved';
  useBottomBar(place, isShown);
  if (!isShown) return null;
  return (
    <div ref={place} className={styles.bar} data-save-bar="">
      <div className={styles.content}>
        {outcome.kind === 'saved' && !draft.hasChanges && !draft.isSending ? (
          <SavedBar live={live} saved={outcome} />
        ) : (
          <Unsaved live={live} canSave={canSave} outcome={outcome} />
        )}
      </div>
    </div>
  );
}

function Unsaved({ live, canSave, outcome }: SaveBarProps): ReactNode {
  const { guild, store, issues, words, groups } = useSettings();
  const draft = useWholeDraft();
  const { t } = words;
  const lines = changesText(draft, words);
  /** Returns true if the person has already done what is necessary after a failed save. */
  const isMended = (failure: SaveFailure) =>
    failure === 'conflicts'
      ? !draft.hasConflict
      : failure === 'invalid' && issues.length === 0 && !hasFlaws(draft.changes, { guild, words });
  const isOver = outcome.kind === 'failed' && (isMended(outcome.failure) || (canSave && isOutageOver(outcome, live)));
  const failed = outcome.kind === 'failed' && !isOver ? outcome : undefined;
  const text = draft.hasChanges ? t('bar.changes', { count: lines.length }) : t('bar.waiting');
  useAnnouncement(text);
  const isLimited = failed?.failure === 'limited';
  const seconds = useWait(failed);
  const undoFailure = useUndoFailure(outcome).text;
  const failure =
    failed === undefined || (isLimited && seconds === 0)
      ? undoFailure
      : isLimited
        ? t('bar.limited', { count: seconds })
        : t(`bar.${failed.failure}`);
  // The undo could overtake a change that is sent now.
  const isUndoing = outcome.kind === 'saved' && outcome.undo === 'running';
  return (
    <>
      <div className={styles.text}>
        {failure !== undefined && (
          <p role="alert" className={styles.failure}>
            {failure}
          </p>
        )}
        {failure === undefined && !canSave && <p className={styles.failure}>{t(`bar.${whyNot(live)}`)}</p>}
        <p className={styles.barCount}>{text}</p>
        {groups.isPaged ? <ChangedGroups /> : <Lines lines={lines} />}
      </div>
      <div className={styles.actions}>
        <Button kind="quiet" isDisabled={draft.isSending} onPress={() => store.update(reset)}>
          {t('bar.discard')}
        </Button>
        <Button
          kind="primary"
          type="submit"
          isPending={draft.isSending || isUndoing}
          isDisabled={!canSave || seconds > 0}
        >
          {t(draft.isSending ? 'bar.saving' : isUndoing ? 'bar.undoing' : 'bar.save')}
        </Button>
      </div>
    </>
  );
}

function Lines({ lines }: { readonly lines: ReturnType<typeof changesText> }): ReactNode {
  if (lines.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers.
    <ul role="list" className={styles.changes}>
      {lines.map(({ field, text }) => (
        <li key={field}>{text}</li>
      ))}
    </ul>
  );
}

/**
 * The changed settings by group, each a link to its place: a setting that needs attention may be in a group that is not
 * displayed.
 */
function ChangedGroups(): ReactNode {
  const { guild, store, issues, words, groups } = useSettings();
  const draft = useDraftPart(store, (whole) => whole);
  const changed = new Set([...draft.edits.keys()].map(settingOf));
  const sections = groups.sections.filter((section) => changedIn(section, draft) > 0);
  if (sections.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers.
    <ul role="list" className={styles.changedGroups}>
      {sections.map((section) => (
        <li key={section.id}>
          <Filled
            text={words.shared('labelled', UNFILLED)}
            slots={{
              label: <bdi>{section.heading}</bdi>,
              value: section.settings
                .filter(({ shownField }) => changed.has(shownField))
                .map((setting, index) => (
                  <Fragment key={setting.field}>
                    {index > 0 && commaOf(words.language)}
                    <ChangedSetting
                      section={section}
                      setting={setting}
                      isWrong={isWrong(setting, draft, issues, { guild, words })}
                    />
                  </Fragment>
                )),
            }}
          />
        </li>
      ))}
    </ul>
  );
}

interface ChangedSettingProps {
  readonly section: Section;
  readonly setting: Setting;
  readonly isWrong: boolean;
}

function ChangedSetting({ section, setting, isWrong }: ChangedSettingProps): ReactNode {
  const { words } = useSettings();
  const name = fieldLabel(setting.field, words);
  const label = isWrong ? words.shared('labelled', { label: words.t('sections.wrong'), value: name }) : undefined;
  return (
    <SettingsLink section={section} setting={setting} className={styles.changedSetting} label={label}>
      {isWrong && (
        <span className={styles.wrong}>
          <Icon name="warning" size="1rem" />
        </span>
      )}
      <bdi>{name}</bdi>
    </SettingsLink>
  );
}

/** Returns why nothing can be saved while the page does not know what it would overwrite. */
function whyNot({ failure }: Live): 'offline' | 'away' | 'forbidden' {
  return failure === 'offline' || failure === 'forbidden' ? failure : 'away';
}

/** Returns true if the service has responded again after a save that did not reach it, or that had no session. */
function isOutageOver({ failure, at }: Refusal, { asOf, liveSince }: Live): boolean {
  if (failure === 'offline') return asOf > at;
  // Events of a connection from before the failure do not prove that the service accepts changes again.
  return (failure === 'unreachable' || failure === 'sessionOver') && liveSince > at;
}

/**
 * Reserves space for a bar at the end of the page, and keeps the focused element in view: the bar appears or grows in
 * front of it, and changes by other people make the content above it grow.
 */
function useBottomBar(place: RefObject<HTMLElement | null>, isShown: boolean): void {
  const inView = useFocusedInView();
  useEffect(() => {
    const { style } = document.documentElement;
    const bar = isShown ? place.current : null;
    const observer = new ResizeObserver(() => {
      if (bar !== null) style.setProperty('--bottom-bar', `${bar.offsetHeight}px`);
      // An element that the person has scrolled away or left is not followed.
      if (inView.current === document.activeElement) inView.current?.scrollIntoView({ block: 'nearest' });
    });
    const main = document.querySelector('main');
    for (const element of [main, bar]) if (element !== null) observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty('--bottom-bar');
    };
  }, [place, isShown, inView]);
}

/** Focusable elements that move with the page: not the header, nor the bar. */
const MOVES = 'main :is(a, button, input, select):not([data-save-bar] *)';

/** The element that last received the focus and moves with the page, if it was in view when the page was last drawn. */
function useFocusedInView(): RefObject<Element | null> {
  const inView = useRef<Element | null>(null);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1);
      inView.current = last?.isIntersecting ? last.target : null;
    });
    const follow = () => {
      const { activeElement } = document;
      observer.disconnect();
      // Browsers scroll an element into view when it receives the focus.
      inView.current = activeElement?.matches(MOVES) ? activeElement : null;
      if (inView.current !== null) observer.observe(inView.current);
    };
    follow();
    document.addEventListener('focusin', follow);
    return () => {
      document.removeEventListener('focusin', follow);
      observer.disconnect();
    };
  }, []);
  return inView;
}
