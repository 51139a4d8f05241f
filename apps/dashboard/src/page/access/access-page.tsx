import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '../design/link.tsx';
import { Card, ErrorPanel, Loading } from '../design/panels.tsx';
import { useGuild, useLevel } from '../guilds/guilds.ts';
import { useGuildEvents } from '../guilds/use-guild-events.ts';
import { failureOf } from '../service/failure.ts';
import { usePageTitle } from '../service/identity.ts';
import styles from './access.module.css';
import { AccessForm } from './access-form.tsx';
import { accessQuery, mayChangeAccess } from './access-queries.ts';
import { AccessTable } from './access-table.tsx';
import { LevelsTable } from './levels-table.tsx';

const route = getRouteApi('/guilds/$guild/access');

/** The people and roles besides managers with access to a guild. Managers change the list. */
export function AccessPage(): ReactNode {
  // All that the page says: texts that were loaded later would take it away again, and the focus with it.
  const { t } = useTranslation(['access', 'settings', 'common', 'shared']);
  const { guild } = route.useParams();
  usePageTitle(t('nav.access', { ns: 'common' }), useGuild(guild)?.name);
  const level = useLevel(guild);
  const { data, error, refetch } = useQuery({ ...accessQuery(guild), refetchOnWindowFocus: 'always' });
  return (
    <div className={styles.page}>
      <p className={styles.intro}>{t('intro')}</p>
      {error !== null && (
        <ErrorPanel error={error} onRetry={refetch}>
          <Link to="/">{t('failure.back', { ns: 'common' })}</Link>
        </ErrorPanel>
      )}
      {error === null && (data === undefined || level === undefined) && <Loading />}
      {data !== undefined && level !== undefined && failureOf(error).kind !== 'forbidden' && (
        <>
          <Card aria-labelledby="entries">
            <h2 id="entries">{t('heading')}</h2>
            {level === 'manager' ? <AccessForm guild={guild} theirs={data} /> : <Followed guild={guild} />}
          </Card>
          <LevelsTable />
        </>
      )}
    </div>
  );
}

function Followed({ guild }: { readonly guild: string }): ReactNode {
  const { data, refetch } = useQuery(accessQuery(guild));
  useGuildEvents(guild, ({ type }) => {
    if (mayChangeAccess(type)) void refetch();
  });
  return data && <AccessTable guild={guild} entries={data.entries} />;
}
