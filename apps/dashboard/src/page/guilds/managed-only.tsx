import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorPanel } from '../design/error-panel.tsx';
import { Link } from '../design/link.tsx';
import { Loading } from '../design/skeleton.tsx';
import { guildQuery } from '../settings/guild-query.ts';
import { guildsQuery } from './guilds.ts';

interface ManagedOnlyProps {
  readonly guild: string;
  /** What is for managers of the guild. */
  readonly children: ReactNode;
}

/** For a guild that is not in the person's list, shows why the service refuses it, in place of what would fail when it is used. */
export function ManagedOnly({ guild, children }: ManagedOnlyProps): ReactNode {
  const { t } = useTranslation();
  const { data: guilds } = useQuery(guildsQuery);
  const isUnlisted = guilds?.every(({ id }) => id !== guild) === true;
  const { data, error, refetch } = useQuery({ ...guildQuery(guild), enabled: isUnlisted });
  if (!isUnlisted || data !== undefined) return children;
  if (error === null) return <Loading />;
  return (
    <ErrorPanel error={error} onRetry={refetch}>
      <Link to="/">{t('failure.back')}</Link>
    </ErrorPanel>
  );
}
