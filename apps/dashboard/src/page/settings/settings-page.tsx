import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { EraseSection } from '../danger/erase-section.tsx';
import { Link } from '../design/link.tsx';
import { Card, ErrorPanel, Loading, Skeleton } from '../design/panels.tsx';
import { noteBotPresence, useGuild, useLevel } from '../guilds/guilds.ts';
import { failureOf } from '../service/failure.ts';
import { usePageTitle } from '../service/identity.ts';
import { servedSettingsQuery } from '../service/served-settings.ts';
import { guildQuery } from './guild-query.ts';
import { SettingsForm } from './settings-form.tsx';

const route = getRouteApi('/guilds/$guild');

export function SettingsPage(): ReactNode {
  // All that the page says: texts that were loaded later would take it away again, and the focus with it.
  const { t } = useTranslation(['settings', 'common', 'shared']);
  const { guild } = route.useParams();
  usePageTitle(t('title'), useGuild(guild)?.name);
  const { data, error, refetch } = useQuery({ ...guildQuery(guild), refetchOnWindowFocus: false });
  // The form is rendered in small steps: at once, it would block a phone for a tenth of a second.
  const level = useLevel(guild);
  const declared = useQuery(servedSettingsQuery);
  const isLoaded = data !== undefined && level !== undefined && declared.data !== undefined;
  const showsForm = useDeferredValue(isLoaded);
  const failure = (data === undefined ? error : null) ?? (declared.data === undefined ? declared.error : null);
  const client = useQueryClient();
  const isAbsent = error !== null && failureOf(error).kind === 'bot-absent';
  useEffect(() => {
    if (isAbsent) noteBotPresence(client, guild, false);
  }, [client, guild, isAbsent]);
  return (
    <>
      {isLoaded && showsForm ? (
        // Another declaration has other settings: the form is made anew, with what was typed.
        <SettingsForm
          key={`${guild}:${declared.data.tag}`}
          guild={guild}
          theirs={data}
          isReadOnly={level === 'viewer'}
        />
      ) : failure !== null ? (
        <ErrorPanel error={failure} onRetry={() => void Promise.all([refetch(), declared.refetch()])}>
          <Link to="/">{t('failure.back', { ns: 'common' })}</Link>
        </ErrorPanel>
      ) : (
        <Placeholder />
      )}
      {isLoaded && showsForm && <EraseSection guild={guild} />}
    </>
  );
}

function Placeholder(): ReactNode {
  return (
    <Loading>
      <Card>
        <Skeleton width="8rem" />
        <Skeleton height="2.75rem" />
        <Skeleton width="8rem" />
        <Skeleton height="2.75rem" />
      </Card>
    </Loading>
  );
}
