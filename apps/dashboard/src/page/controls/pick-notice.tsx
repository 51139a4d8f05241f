import type { ReactNode } from 'react';
import { Notice } from '../design/notice.tsx';
import type { Pickable } from './use-pickable.tsx';

interface PickNoticeProps {
  readonly pickable: Pickable;
  readonly ids: readonly string[];
}

/** The reason why the bot cannot use a picked channel or role, before it is saved. It does not prevent saving. */
export function PickNotice({ pickable, ids }: PickNoticeProps): ReactNode {
  const warnings = ids.flatMap((id) => pickable.warningOf(id) ?? []);
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warning" role="status">
      {[...new Set(warnings.flat())].map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Notice>
  );
}
