import type { ProblemIssue } from '@guild-settings/contract';
import { clauses, fieldLabel } from '@guild-settings/i18n';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useParams, useRouterState, useSearch } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '../design/link.tsx';
import { announce, Card, ErrorPanel, Loading, Skeleton } from '../design/panels.tsx';
import { changesOf, type Draft, viewOf } from '../draft/draft.ts';
import { DraftStore } from '../draft/draft-store.ts';
import { isFeatures, type Theirs, valueIn } from '../draft/fields.ts';
import { draftKey, tabStorage } from '../draft/kept-drafts.ts';
import { updateDraftLock } from '../draft/tabs-with-drafts.ts';
import { noteBotPresence, useGuild, useLevel } from '../guilds/guilds.ts';
import { useShared } from '../i18n/use-shared.ts';
import { failureOf } from '../service/failure.ts';
import { usePageTitle } from '../service/identity.ts';
import { servedSettingsQuery, useDeclaredAs } from '../service/served-settings.ts';
import { useSession, useUser } from '../session/session.ts';
import { type Address, type Addressed, addressedIn, type Groups, groupsOf } from './groups.ts';
import { LeaveQuestion } from './leave-question.tsx';
import { type Changed, LiveState, PageState, useLive } from './live.tsx';
import { SaveBar } from './save-bar.tsx';
import type { Outcome } from './save-outcome.ts';
import { createSaver, guildQuery } from './saver.ts';
import { isWrong } from './section-state.ts';
import styles from './settings.module.css';
import { hasFlaws, readEdits, SettingsContext, useSettings, useWholeDraft } from './settings-context.ts';
import { useShowSetting } from './settings-link.tsx';
import { SettingsSections } from './settings-sections.tsx';
import { useValueWords } from './use-value-words.ts';
import { inOrderOfPage, type ValueWords, valueText } from './value-text.ts';

const route = getRouteApi('/guilds/$guild');

export function SettingsPage(): ReactNode {
  // All texts of the page: loading some later would unmount it, and lose the focus.
  const { t } = useTranslation(['settings', 'common', 'shared']);
  const { guild } = route.useParams();
  const groups = useGroups();
  const shown = addressedIn(groups, useAddress());
  const isFirst = !groups.isPaged || shown.section.path === undefined;
  usePageTitle(isFirst ? undefined : shown.section.heading, t('title'), useGuild(guild)?.name);
  const { data, error, refetch } = useQuery({ ...guildQuery(guild), refetchOnWindowFocus: false });
  // The form is rendered in small steps: at once, it would block a phone for a tenth of a second.
  const level = useLevel(guild);
  const declared = useQuery(servedSettingsQuery);
  const isLoaded = data !== undefined && level !== undefined && declared.data !== undefined;
  const showsForm = useDeferredValue(isLoaded);
  const failure = (data === undefined ? error : null) ?? (declared.data === undefined ? declared.error : null);
  const client = useQueryClient();
  const isAbsent = error !== null && failureOf(error).kind === 'bot-absent';
  useEffect(() => {
    if (isAbsent) noteBotPresence(client, guild, false);
  }, [client, guild, isAbsent]);
  return (
    <>
      {isLoaded && showsForm ? (
        // Another declaration has other settings: the form is rebuilt with the typed values.
        <SettingsForm
          key={`${guild}:${declared.data.tag}`}
          guild={guild}
          theirs={data}
          isReadOnly={level === 'viewer'}
          groups={groups}
          addressed={shown}
        />
      ) : failure !== null ? (
        <ErrorPanel error={failure} onRetry={() => void Promise.all([refetch(), declared.refetch()])}>
          <Link to="/">{t('failure.back', { ns: 'common' })}</Link>
        </ErrorPanel>
      ) : (
        <Placeholder />
      )}
      {isLoaded && showsForm && isFirst && <EraseSection guild={guild} />}
    </>
  );
}

function useGroups(): Groups {
  const { t } = useTranslation('settings');
  const { settings, shared, language } = useShared();
  return useMemo(() => groupsOf({ settings, shared, language, t }), [settings, shared, language, t]);
}

function useAddress(): Address {
  const { group } = useParams({ strict: false });
  const { setting } = useSearch({ strict: false });
  // Excludes the hash of a page that is about to be opened.
  const hash = useRouterState({ select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).hash });
  return { group, setting, hash };
}

function Placeholder(): ReactNode {
  return (
    <Loading>
      <Card>
        <Skeleton width="8rem" />
        <Skeleton height="2.75rem" />
        <Skeleton width="8rem" />
        <Skeleton height="2.75rem" />
      </Card>
    </Loading>
  );
}

interface SettingsFormProps {
  readonly guild: string;
  readonly theirs: Theirs;
  /** True: the person may only read the settings. An earlier draft stays in the tab. */
  readonly isReadOnly: boolean;
  readonly groups: Groups;
  readonly addressed: Addressed;
}

/**
 * The settings of a guild as a draft, which includes changes by others. It is not rendered again while a person types.
 */
function SettingsForm({ guild, theirs, isReadOnly, groups, addressed }: SettingsFormProps): ReactNode {
  const user = useUser();
  const words = useValueWords(guild, theirs, useShared());
  const { t } = words;
  const store = useStore(guild, theirs, words);
  const { saver, outcome, issues } = useSave(guild, store);
  const live = useLive({
    guild,
    store,
    isOwnChange: ({ actor }) => saver.isWriting.current && actor.id === user?.id,
    onOwnChange: saver.takeUndone,
    onChange: ({ changes, guild: settings }: Changed) => {
      const changed = inOrderOfPage(words.settings).filter(({ shownField }) => Object.hasOwn(changes, shownField));
      const texts = changed.map((setting) => {
        const value = valueText(setting, valueIn(settings, setting.shownField), words);
        return isFeatures(setting)
          ? t('changedFeatures')
          : t('changedNow', { field: fieldLabel(setting.field, words), value });
      });
      if (texts.length > 0) announce(clauses(texts, words));
    },
  });
  useDeclaredAs(live.declaration);
  const { read } = words;
  const readAll = useEffectEvent(() => store.update(readEdits, { guild, words }));
  useEffect(() => {
    if (read !== undefined) readAll();
  }, [read]);

  const showSetting = useShowSetting(guild);
  /** Shows the first setting that needs attention, even in another group. */
  const showWrong = (draft: Draft) => {
    const sections = [addressed.section, ...groups.sections];
    const found = sections
      .flatMap((section) => section.settings.map((setting) => ({ section, setting })))
      .find(({ setting }) => isWrong(setting, draft, issues, { guild, words }));
    if (found !== undefined) showSetting(found.section, found.setting);
  };
  // Saving is blocked while the present settings, which would be overwritten, are unknown.
  const canSave = live.failure === undefined || live.failure === 'limited';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const draft = store.read();
    const changes = changesOf(draft);
    if (Object.keys(changes).length === 0 || draft.sent !== undefined || !canSave) return;
    if (viewOf(draft).conflicts.length > 0) {
      saver.fail('conflicts');
      showWrong(draft);
    } else if (hasFlaws(changes, { guild, words })) {
      saver.fail('invalid');
      showWrong(draft);
    } else void saver.save();
  };
  const value = useMemo(
    () => ({ guild, store, saver, issues, words, groups }),
    [guild, store, saver, issues, words, groups],
  );
  const sections = <SettingsSections isReadOnly={isReadOnly} addressed={addressed} />;
  return (
    <SettingsContext value={value}>
      <LiveState live={live} />
      <PageState live={live} />
      {isReadOnly ? (
        <>
          <p>{t('readOnly')}</p>
          {sections}
        </>
      ) : (
        <form className={styles.form} onSubmit={submit} noValidate>
          {sections}
          <SaveBar live={live} canSave={canSave} outcome={outcome} />
        </form>
      )}
      {!isReadOnly && LEAVE_QUESTION}
    </SettingsContext>
  );
}

const LEAVE_QUESTION = <LeaveSettings />;

function useStore(guild: string, theirs: Theirs, { settings: declared }: ValueWords): DraftStore {
  const client = useQueryClient();
  const person = useUser()?.id;
  const [store] = useState(
    () => new DraftStore({ storage: tabStorage, key: draftKey(person, guild), theirs, declared }),
  );
  useEffect(() => {
    const follow = () => {
      updateDraftLock(person);
      // For the next time that the page is opened.
      client.setQueryData(guildQuery(guild).queryKey, store.read().theirs);
    };
    store.keep();
    follow();
    return store.subscribe(follow);
  }, [client, guild, person, store]);
  return store;
}

function useSave(guild: string, store: DraftStore) {
  const client = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });
  const [issues, setIssues] = useState<readonly ProblemIssue[]>([]);
  const saver = useMemo(() => createSaver({ client, guild, store, setOutcome, setIssues }), [client, guild, store]);
  return { saver, outcome, issues };
}

/**
 * Asks before leaving the pages of a guild with unsaved changes, which the tab keeps. On its other pages, the settings
 * link has a mark.
 */
function LeaveSettings(): ReactNode {
  const { guild, words } = useSettings();
  const { hasChanges } = useWholeDraft();
  const session = useSession();
  const losesByUnload = () => {
    const key = draftKey(session?.session.user.id, guild);
    // Logging out has deleted the draft, after its own question.
    if (!tabStorage.keys().includes(key)) return false;
    // A login leads back here, where the draft is, if the browser has stored it.
    return session?.state === 'active' || tabStorage.isInMemory(key);
  };
  return (
    <LeaveQuestion
      path={`/guilds/${guild}`}
      isKept
      hasChanges={hasChanges}
      losesByUnload={losesByUnload}
      text={words.t('leave.text')}
    />
  );
}

/** The end of the settings for the owner of a guild, who is the only one who may erase it: a link to that page. */
function EraseSection({ guild }: { readonly guild: string }): ReactNode {
  const { t } = useTranslation('settings');
  if (useGuild(guild)?.owner !== true) return null;
  return (
    <Card aria-labelledby="erase" className={styles.section}>
      <div>
        <h2 id="erase">{t('erase.heading')}</h2>
        <p>{t('erase.text')}</p>
      </div>
      <Link button="danger-question" to="/guilds/$guild/danger" params={{ guild }}>
        {t('erase.open')}
      </Link>
    </Card>
  );
}
