import type { ManagedGuildSummary } from '@guild-settings/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { Icon } from '../design/icons.tsx';
import { PageLink } from '../design/page-link.tsx';
import { ErrorPanel, Loading, Skeleton } from '../design/panels.tsx';
import { GuildIcon } from '../design/picture.tsx';
import { draftKey, tabStorage } from '../draft/kept-drafts.ts';
import { usePageTitle } from '../service/identity.ts';
import { useUser } from '../session/session.ts';
import styles from './guild-list-page.module.css';
import { freshGuildsQuery, guildsQuery, levelOf, matching, titleOf } from './guilds.ts';
import { InviteLink } from './invite-link.tsx';

const SEARCH_FROM = 10;

export function GuildListPage(): ReactNode {
  const { t } = useTranslation();
  usePageTitle(t('guilds.heading'));
  const { data, error, refetch } = useQuery(guildsQuery);
  // In small steps: at once, the cards would block a phone for a tenth of a second.
  const guilds = useDeferredValue(data);
  return (
    <div className={styles.page}>
      <div className={styles.heading}>
        <h1>{t('guilds.heading')}</h1>
        <p className={styles.lead}>{t('guilds.lead')}</p>
      </div>
      {guilds === undefined ? (
        error === null ? (
          <ListSkeleton />
        ) : (
          <ErrorPanel error={error} onRetry={refetch} />
        )
      ) : (
        <>
          {error !== null && <ErrorPanel error={error} onRetry={refetch} />}
          {guilds.length === 0 ? <Empty /> : <Guilds guilds={guilds} />}
        </>
      )}
    </div>
  );
}

function Guilds({ guilds }: { readonly guilds: readonly ManagedGuildSummary[] }): ReactNode {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const found = matching(guilds, useDeferredValue(query));
  const withBot = found.filter(({ botPresent }) => botPresent !== false);
  const withoutBot = found.filter(({ botPresent }) => botPresent === false);
  // Without any report, it is unknown where the bot is.
  const isReported = guilds.some(({ botPresent }) => botPresent !== null);
  return (
    <>
      {guilds.length >= SEARCH_FROM && <GuildSearch value={query} onChange={setQuery} />}
      <p role="status" className={styles.count}>
        {found.length === 0 ? t('guilds.none', { query }) : t('guilds.found', { count: found.length })}
      </p>
      <Group
        heading={t(isReported ? 'guilds.withBot' : 'guilds.heading')}
        isAlone={withoutBot.length === 0}
        guilds={withBot}
      />
      <Group heading={t('guilds.withoutBot')} guilds={withoutBot} />
      <Refresh />
    </>
  );
}

interface GroupProps {
  readonly heading: string;
  readonly isAlone?: boolean;
  readonly guilds: readonly ManagedGuildSummary[];
}

function Group({ heading, isAlone = false, guilds }: GroupProps): ReactNode {
  if (guilds.length === 0) return null;
  return (
    <section className={styles.group}>
      <h2 className={isAlone ? 'visually-hidden' : undefined}>{heading}</h2>
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers. */}
      <ul role="list" className={styles.list}>
        {guilds.map((guild) => (
          <li key={guild.id}>
            <GuildCard guild={guild} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Empty(): ReactNode {
  const { t } = useTranslation();
  return (
    <EmptyState icon="lock">
      <h2>{t('guilds.empty')}</h2>
      <p>{t('guilds.emptyText')}</p>
      <Refresh />
    </EmptyState>
  );
}

/** Requests the guilds from Discord again, for a permission that was just granted. */
function Refresh(): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [isPending, setPending] = useState(false);
  const refresh = async () => {
    setPending(true);
    await client.fetchQuery(freshGuildsQuery).catch(() => undefined);
    setPending(false);
  };
  return (
    <div>
      <Button onPress={() => void refresh()} isPending={isPending}>
        <Icon name="refresh" />
        {t('guilds.refresh')}
      </Button>
    </div>
  );
}

function ListSkeleton(): ReactNode {
  return (
    <Loading>
      <div className={styles.list}>
        {['first', 'second', 'third', 'fourth'].map((place) => (
          <Skeleton key={place} height="5rem" />
        ))}
      </div>
    </Loading>
  );
}

function GuildCard({ guild }: { readonly guild: ManagedGuildSummary }): ReactNode {
  const { t } = useTranslation();
  const isAbsent = guild.botPresent === false;
  const level = levelOf(guild);
  const isManager = level === 'manager';
  const person = useUser()?.id;
  // A viewer cannot save what an earlier level has left.
  const hasDraft = level !== 'viewer' && tabStorage.getItem(draftKey(person, guild.id)) !== null;
  return (
    <article className={styles.card}>
      <GuildIcon guild={guild} />
      <div className={styles.text}>
        <h3 className={styles.name}>
          {isAbsent ? (
            <bdi>{titleOf(guild)}</bdi>
          ) : (
            <PageLink href={`/guilds/${guild.id}`} className={styles.link ?? ''}>
              <bdi>{titleOf(guild)}</bdi>
            </PageLink>
          )}
        </h3>
        <p className={styles.note}>
          <span className={isManager ? undefined : styles.badge}>{t(`guilds.${guild.owner ? 'owner' : level}`)}</span>
          {hasDraft && <span className={styles.unsaved}>{t('guilds.unsaved')}</span>}
          {isAbsent && <span>{t('guilds.absent')}</span>}
        </p>
      </div>
      {!isAbsent && <Icon name="chevron" />}
      {isAbsent && isManager && <InviteLink guild={guild} kind="secondary" />}
    </article>
  );
}

interface GuildSearchProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function GuildSearch({ value, onChange }: GuildSearchProps): ReactNode {
  const { t } = useTranslation();
  return (
    <search className={styles.search}>
      <Icon name="search" />
      <input
        type="search"
        className={styles.input}
        aria-label={t('guilds.search')}
        dir="auto"
        placeholder={t('guilds.search')}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onChange('')}
      />
    </search>
  );
}
