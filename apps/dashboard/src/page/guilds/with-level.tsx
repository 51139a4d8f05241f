import type { GuildLevel } from '@guild-settings/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '../design/link.tsx';
import { ErrorPanel, Loading } from '../design/panels.tsx';
import { useLevel, useOwnGuild } from './guilds.ts';

interface WithLevelProps {
  readonly guild: string;
  readonly children: (level: GuildLevel) => ReactNode;
}

/**
 * The content for the person's level in a guild, or the reason why the service refuses it, so that controls do not fail
 * when they are used.
 */
export function WithLevel({ guild, children }: WithLevelProps): ReactNode {
  const { t } = useTranslation();
  const { data, error, refetch } = useOwnGuild(guild);
  const level = useLevel(guild);
  if (data === undefined && error !== null) {
    return (
      <ErrorPanel error={error} onRetry={refetch}>
        <Link to="/">{t('failure.back')}</Link>
      </ErrorPanel>
    );
  }
  return level === undefined ? <Loading /> : children(level);
}
