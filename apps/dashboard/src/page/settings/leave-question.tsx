import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Question } from '../design/dialog.tsx';
import { draftKey } from '../draft/kept-drafts.ts';
import { tabStorage } from '../draft/tab-storage.ts';
import { useSession } from '../session/session.ts';
import { useSettings, useWholeDraft } from './settings-context.ts';

/** Asks before the pages of a guild are left with unsaved changes, which the tab keeps. Their tab has a mark on the other pages. */
export function LeaveSettings(): ReactNode {
  const { guild, words } = useSettings();
  const { hasChanges } = useWholeDraft();
  const session = useSession();
  const losesByUnload = () => {
    const key = draftKey(session?.session.user.id, guild);
    // Logging out has deleted the draft, after a question of its own.
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

interface LeaveQuestionProps {
  readonly path: string;
  readonly hasChanges: boolean;
  readonly isKept?: boolean;
  readonly losesByUnload: () => boolean;
  readonly text: string;
}

/** Asks before a page is left with unsaved changes. */
export function LeaveQuestion({
  path,
  isKept = false,
  hasChanges,
  losesByUnload,
  text,
}: LeaveQuestionProps): ReactNode {
  const { t } = useTranslation('settings');
  const isHere = ({ pathname }: { readonly pathname: string }) => pathname === path;
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      hasChanges && isHere(current) && !isHere(next) && !(isKept && next.pathname.startsWith(`${path}/`)),
    enableBeforeUnload: () => hasChanges && losesByUnload(),
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
      <p>{text}</p>
    </Question>
  );
}
