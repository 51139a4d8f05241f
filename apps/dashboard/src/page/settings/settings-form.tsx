import type { ProblemIssue } from '@guild-settings/contract';
import { fieldLabel } from '@guild-settings/i18n';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { announce } from '../design/panels.tsx';
import { changesOf, type Theirs, viewOf } from '../draft/draft.ts';
import { DraftStore } from '../draft/draft-store.ts';
import { valueIn } from '../draft/fields.ts';
import { draftKey } from '../draft/kept-drafts.ts';
import { tabStorage } from '../draft/tab-storage.ts';
import { updateDraftLock } from '../draft/tabs-with-drafts.ts';
import { type SharedWords, useShared } from '../i18n/use-shared.ts';
import { channelText } from '../people/channels.ts';
import { rolesQuery, roleText } from '../people/roles.ts';
import { useChannels } from '../people/use-channels.ts';
import { useDeclaredAs } from '../service/served-settings.ts';
import { useUser } from '../session/session.ts';
import { featuresQuery, featureText } from './features.ts';
import { guildQuery } from './guild-query.ts';
import { LeaveSettings } from './leave-question.tsx';
import { LiveState, PageState } from './live-state.tsx';
import type { Outcome } from './outcome.ts';
import { SaveBar } from './save-bar.tsx';
import { createSaver } from './saver.ts';
import { inOrderOfPage, isFeatures } from './sections.ts';
import { LiveContext, SettingsContext } from './settings-context.ts';
import styles from './settings-form.module.css';
import { SettingsSections } from './settings-sections.tsx';
import { hasFlaws } from './use-field.ts';
import { type Changed, useLive } from './use-live.ts';
import { type ValueWords, valueText } from './value-text.ts';

interface SettingsFormProps {
  readonly guild: string;
  readonly theirs: Theirs;
  /** True: the person may only read the settings. An earlier draft stays in the tab. */
  readonly isReadOnly: boolean;
}

/** The settings of a guild as a draft, which follows what others change. It is not rendered again while somebody types. */
export function SettingsForm({ guild, theirs, isReadOnly }: SettingsFormProps): ReactNode {
  const user = useUser();
  const words = useValueWords(guild, theirs, useShared());
  const { t } = words;
  const store = useStore(guild, theirs, words);
  const { saver, outcome, issues } = useSave(guild, store);
  const live = useLive({
    guild,
    store,
    isOwnChange: ({ actor }) => saver.isWriting.current && actor.id === user?.id,
    onOwnChange: saver.undone,
    onChange: ({ changes, guild: settings }: Changed) => {
      const changed = inOrderOfPage(words.settings).filter(({ field }) => Object.hasOwn(changes, field));
      const texts = changed.map((setting) => {
        const value = valueText(setting, valueIn(settings, setting.field), words);
        return isFeatures(setting)
          ? t('changedFeatures')
          : t('changedNow', { field: fieldLabel(setting.field, words), value });
      });
      if (texts.length > 0) announce(texts.join('; '));
    },
  });
  useDeclaredAs(live.declaration);

  const form = useRef<HTMLFormElement>(null);
  const [query, setQuery] = useState('');
  /** Shows the first setting that has to be seen to, also where a search has left it out. */
  const show = (selector: string) => {
    flushSync(() => setQuery(''));
    form.current?.querySelector<HTMLElement>(selector)?.focus();
  };
  // Saving is blocked while it is not known what would be overwritten.
  const canSave = live.failure === undefined || live.failure === 'limited';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const draft = store.read();
    const changes = changesOf(draft);
    if (Object.keys(changes).length === 0 || draft.sent !== undefined || !canSave) return;
    if (viewOf(draft).conflicts.length > 0) {
      saver.fail('conflicts');
      show('[data-conflict]');
    } else if (hasFlaws(changes, { guild, words })) {
      saver.fail('invalid');
      show('[aria-invalid="true"]');
    } else void saver.save();
  };
  const value = useMemo(() => ({ guild, store, saver, issues, words }), [guild, store, saver, issues, words]);
  const sections = <SettingsSections isReadOnly={isReadOnly} query={query} onSearch={setQuery} />;
  return (
    <SettingsContext value={value}>
      <LiveContext value={live}>
        <LiveState />
        <PageState />
        {isReadOnly ? (
          <>
            <p>{t('readOnly')}</p>
            {sections}
          </>
        ) : (
          <form ref={form} className={styles.form} onSubmit={submit} noValidate>
            {sections}
            <SaveBar canSave={canSave} outcome={outcome} />
          </form>
        )}
      </LiveContext>
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

/** Returns what texts of values depend on, with the names that are known. */
function useValueWords(guild: string, theirs: Theirs, shared: SharedWords): ValueWords {
  const { t } = useTranslation('settings');
  const ofChannels = shared.settings.all.filter(({ declared }) => declared.kind === 'channel');
  const ids = ofChannels.flatMap(({ field }) => valueIn(theirs.settings, field) ?? []).map(String);
  const { channels } = useChannels(guild, ids);
  const hasRoles = shared.settings.all.some(({ declared }) => declared.kind === 'role');
  const { data: roles } = useQuery({ ...rolesQuery(guild), enabled: hasRoles });
  const { data: features } = useQuery(featuresQuery);
  return useMemo(
    () => ({
      ...shared,
      t,
      channelText: (id: string) => channelText(id, channels),
      roleText: (id: string) => roleText(id, roles) ?? id,
      featureText: (id: string) => featureText(id, features, shared.language),
    }),
    [shared, t, channels, roles, features],
  );
}

function useSave(guild: string, store: DraftStore) {
  const client = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'none' });
  const [issues, setIssues] = useState<readonly ProblemIssue[]>([]);
  const saver = useMemo(() => createSaver({ client, guild, store, setOutcome, setIssues }), [client, guild, store]);
  return { saver, outcome, issues };
}
