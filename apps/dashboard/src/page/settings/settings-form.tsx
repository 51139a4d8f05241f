import type { Setting } from '@guild-settings/contract/settings';
import { fieldLabel, flawsOf } from '@guild-settings/i18n';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../design/card.tsx';
import { announce } from '../design/status-region.tsx';
import type { Theirs } from '../draft/draft.ts';
import { FEATURES, SETTINGS } from '../draft/fields.ts';
import { draftKey } from '../draft/kept-drafts.ts';
import { updateDraftLock } from '../draft/tabs-with-drafts.ts';
import { useDraft } from '../draft/use-draft.ts';
import { useShared } from '../i18n/use-shared.ts';
import { useUser } from '../session/session.ts';
import { channelsQuery, channelText } from './channels.ts';
import { featuresQuery, featureText } from './features.ts';
import { guildQuery } from './guild-query.ts';
import { LeaveSettings } from './leave-question.tsx';
import { LiveState, PageState } from './live-state.tsx';
import { SaveBar } from './save-bar.tsx';
import { SettingControl } from './setting-control.tsx';
import { SettingValues } from './setting-values.tsx';
import { LiveContext, SettingsContext } from './settings-context.ts';
import styles from './settings-form.module.css';
import { type Changed, useLive } from './use-live.ts';
import { useSave } from './use-save.ts';
import { valueText } from './value-text.ts';

interface SettingsFormProps {
  readonly guild: string;
  readonly theirs: Theirs;
  /** Whether the person may look at the settings alone. A draft of before stays in the tab. */
  readonly isReadOnly: boolean;
}

/** The settings of a guild as a draft, which follows what others change. */
export function SettingsForm({ guild, theirs, isReadOnly }: SettingsFormProps): ReactNode {
  const { t } = useTranslation('settings');
  const user = useUser();
  const draft = useDraft({ theirs, storageKey: draftKey(user?.id, guild) });
  // After the effect by which the draft is kept.
  useEffect(() => updateDraftLock(user?.id), [draft, user?.id]);
  const saving = useSave(guild, draft.store);
  const { data: channels } = useQuery(channelsQuery(guild));
  const { data: features } = useQuery(featuresQuery);
  const shared = useShared();
  const words = useMemo(
    () => ({
      ...shared,
      t,
      channelText: (id: string) => channelText(id, channels),
      featureText: (id: string) => featureText(id, features, shared.language),
    }),
    [shared, t, channels, features],
  );
  const live = useLive({
    guild,
    store: draft.store,
    isOwnChange: ({ actor }) => saving.isWriting.current && actor.id === user?.id,
    onOwnChange: saving.undone,
    onChange: ({ changes, guild: settings }: Changed) => {
      const texts = SETTINGS.filter(({ field }) => Object.hasOwn(changes, field)).map((setting) =>
        setting === FEATURES
          ? t('changedFeatures')
          : t('changedNow', { field: fieldLabel(setting.field, words), value: valueText(setting, settings, words) }),
      );
      if (texts.length > 0) announce(texts.join('; '));
    },
  });
  useKnownElsewhere(guild, draft.theirs);

  const form = useRef<HTMLFormElement>(null);
  const isInvalid = Object.keys(flawsOf(draft.changes)).length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!draft.hasChanges || draft.isSending || !canSave) return;
    if (draft.hasConflict) {
      saving.fail('conflicts');
      form.current?.querySelector<HTMLElement>('[data-conflict]')?.focus();
    } else if (isInvalid) {
      saving.fail('invalid');
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    } else void saving.save();
  };
  // Nothing is written while it is not known what would be overwritten.
  const canSave = live.failure === undefined || live.failure === 'limited';
  const value = useMemo(() => ({ guild, draft, saving, words }), [guild, draft, saving, words]);
  return (
    <SettingsContext value={value}>
      <LiveContext value={live}>
        <LiveState />
        <PageState />
        {isReadOnly ? (
          <SettingValues />
        ) : (
          <form ref={form} className={styles.form} onSubmit={submit} noValidate>
            {FIELDS}
            <SaveBar canSave={canSave} />
          </form>
        )}
      </LiveContext>
      {!isReadOnly && LEAVE_QUESTION}
    </SettingsContext>
  );
}

const isSwitched = (setting: Setting) => setting === FEATURES || setting.kind.control === 'switch';
const controls = (settings: readonly Setting[]) =>
  settings.map((setting) => <SettingControl key={setting.field} setting={setting} />);

/** Elements that stay the same, and are rendered again only with what they read. */
const FIELDS = (
  <>
    <Card className={styles.rows} data-layout="rows">
      {controls(SETTINGS.filter((setting) => !isSwitched(setting)))}
    </Card>
    <Card className={styles.rows}>{controls(SETTINGS.filter(isSwitched))}</Card>
  </>
);
const LEAVE_QUESTION = <LeaveSettings />;

/** Writes the received settings to the query cache, for the next time that the page is opened. */
function useKnownElsewhere(guild: string, theirs: Theirs): void {
  const client = useQueryClient();
  useEffect(() => {
    client.setQueryData(guildQuery(guild).queryKey, theirs);
  }, [client, guild, theirs]);
}
