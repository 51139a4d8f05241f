import type { ReactNode } from 'react';
import { Notice } from '../design/notice.tsx';
import type { Pickable } from './use-pickable.tsx';

interface PickNoticeProps {
  readonly pickable: Pickable;
  readonly ids: readonly string[];
}

/** What keeps the bot from using a picked channel or role, before it is saved. It keeps nothing from being saved. */
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
