import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Question } from '../design/dialog.tsx';

interface LeaveQuestionProps {
  readonly path: string;
  readonly hasChanges: boolean;
  /** True: the pages below the path keep the changes. */
  readonly isKept?: boolean;
  readonly losesByUnload: () => boolean;
  readonly text: string;
}

export function LeaveQuestion({
  path,
  isKept = false,
  hasChanges,
  losesByUnload,
  text,
}: LeaveQuestionProps): ReactNode {
  const { t } = useTranslation('settings');
  const isHere = ({ pathname }: { readonly pathname: string }) =>
    pathname === path || (isKept && pathname.startsWith(`${path}/`));
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => hasChanges && isHere(current) && !isHere(next),
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
