import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Question } from '../design/question.tsx';
import { draftKey } from '../draft/kept-drafts.ts';
import { tabStorage } from '../draft/tab-storage.ts';
import { useSession } from '../session/session.ts';
import { useSettings } from './settings-context.ts';

/** Asks before the page is left with unsaved changes. */
export function LeaveQuestion(): ReactNode {
  const { t } = useTranslation('settings');
  const { guild, draft } = useSettings();
  const { hasChanges } = draft;
  const isHere = ({ pathname }: { readonly pathname: string }) => pathname === `/guilds/${guild}`;
  const session = useSession();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => hasChanges && isHere(current) && !isHere(next),
    enableBeforeUnload: () => {
      const key = draftKey(session?.session.user.id, guild);
      // Logging out has deleted the draft, after a question of its own.
      if (!hasChanges || !tabStorage.keys().includes(key)) return false;
      // A login leads back here, where the draft is, if the browser has stored it.
      return session?.state === 'active' || tabStorage.isInMemory(key);
    },
    withResolver: true,
  });
  return (
    <Question
      isOpen={blocker.status === 'blocked'}
      heading={t('leave.heading')}
      cancel={t('leave.stay')}
      onCancel={() => blocker.reset?.()}
      confirm={t('leave.leave')}
      onConfirm={() => blocker.proceed?.()}
    >
      <p>{t('leave.text')}</p>
    </Question>
  );
}
