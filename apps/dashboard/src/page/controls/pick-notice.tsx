import type { Setting } from '@guild-settings/contract/settings';
import type { Words } from '@guild-settings/i18n';
import type { ReactNode } from 'react';
import { Notice } from '../design/panels.tsx';
import { useWarnings } from '../people/use-warnings.ts';

interface PickNoticeProps {
  readonly guild: string;
  readonly setting: Setting;
  readonly ids: readonly string[];
  readonly words: Words;
}

/** The warnings about picked channels or roles, before they are saved. They do not prevent saving. */
export function PickNotice({ guild, setting, ids, words }: PickNoticeProps): ReactNode {
  const warnings = useWarnings(guild, setting, ids, words);
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warning" role="status">
      {warnings.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Notice>
  );
}
