import type { GuildLevel, ManagedGuildSummary } from '@guild-settings/contract';
import { getRouteApi, Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '../design/link.tsx';
import { PageLink } from '../design/page-link.tsx';
import { announce, Card, Loading, Notice } from '../design/panels.tsx';
import { GuildIcon } from '../design/picture.tsx';
import { draftKey, tabStorage } from '../draft/kept-drafts.ts';
import { Filled, UNFILLED } from '../i18n/filled.tsx';
import { usePageTitle } from '../service/identity.ts';
import { useUser } from '../session/session.ts';
import styles from './guild-frame.module.css';
import { titleOf, useBotPresent, useLevel, useOwnGuild } from './guilds.ts';
import { InviteLink } from './invite-link.tsx';

const route = getRouteApi('/guilds/$guild');

const PAGES = ['settings', 'history', 'access', 'transfer'] as const;

/**
 * The common parts of a guild's pages: its name as the heading, and the links between its pages. While the bot is
 * absent, the invitation instead.
 */
export function GuildFrame(): ReactNode {
  const { t } = useTranslation();
  const { guild: id } = route.useParams();
  const shown = useLocation({ select: ({ pathname }) => pathname.split('/')[3] || 'settings' });
  const { data: guild, isLoadingError: isRefused } = useOwnGuild(id);
  const person = useUser()?.id;
  const isPresent = useBotPresent(id);
  const level = useLevel(id);
  const [wasAbsent, setWasAbsent] = useState(false);
  useEffect(() => {
    if (isPresent === false) setWasAbsent(true);
    if (isPresent !== true || !wasAbsent || guild === undefined) return;
    setWasAbsent(false);
    announce(t('guilds.arrived', { name: titleOf(guild) }));
  }, [isPresent, wasAbsent, guild, t]);

  if (guild !== undefined && isPresent === false) return <WaitingForBot guild={guild} />;
  const home = `/guilds/${id}`;
  const page = PAGES.find((one) => one === shown);
  // The settings page itself shows unsaved changes.
  const hasDraft = page !== 'settings' && level !== 'viewer' && tabStorage.getItem(draftKey(person, id)) !== null;
  return (
    <div className={styles.frame}>
      <h1 className={isRefused ? 'visually-hidden' : styles.title}>
        {guild !== undefined && (
          <>
            <GuildIcon guild={guild} />
            <bdi>{titleOf(guild)}</bdi>
          </>
        )}
        {page !== undefined && <span className="visually-hidden"> – {t(`nav.${page}`)}</span>}
      </h1>
      {/* No links to pages that have nothing to show: the guild cannot be read after the session has ended. */}
      {!isRefused && (
        <nav aria-label={t('nav.label')} className={styles.nav}>
          {PAGES.map((one) => (
            <PageLink
              key={one}
              href={one === 'settings' ? home : `${home}/${one}`}
              aria-current={one === page ? 'page' : undefined}
              className={styles.tab}
            >
              {one === 'settings' && hasDraft ? (
                <>
                  <Filled isSpoken text={t('nav.unsaved', UNFILLED)} slots={{ page: t('nav.settings') }} />
                  <span className={styles.draft} />
                </>
              ) : (
                t(`nav.${one}`)
              )}
            </PageLink>
          ))}
        </nav>
      )}
      <LevelChange level={level} />
      <Suspense fallback={<Loading />}>
        <Outlet />
      </Suspense>
    </div>
  );
}

/** Announces a changed level of access while the page is open. */
function LevelChange({ level }: { readonly level: GuildLevel | undefined }): ReactNode {
  const { t } = useTranslation();
  const [known, setKnown] = useState(level);
  const [changed, setChanged] = useState<GuildLevel>();
  if (level !== known) {
    setKnown(level);
    if (known !== undefined) setChanged(level);
  }
  if (changed === undefined) return null;
  return (
    <Notice key={changed} tone="warning" role="status">
      <p>{t(`guilds.now.${changed}`)}</p>
    </Notice>
  );
}

/**
 * The page of a guild without the bot: the invitation for managers. The settings replace it when the bot has joined.
 */
function WaitingForBot({ guild }: { readonly guild: ManagedGuildSummary }): ReactNode {
  const { t } = useTranslation();
  usePageTitle(titleOf(guild));
  return (
    <Card className={styles.card}>
      <GuildIcon guild={guild} size="large" />
      <p className={styles.name} dir="auto">
        {titleOf(guild)}
      </p>
      <h1>{t('botAbsent.heading')}</h1>
      {guild.access === 'manager' ? (
        <>
          <p>{t('botAbsent.text')}</p>
          <InviteLink guild={guild} kind="primary" />
        </>
      ) : (
        <p>{t('botAbsent.others')}</p>
      )}
      <p role="status" className={styles.waiting}>
        {t('guilds.waiting')}
      </p>
      <Link to="/">{t('failure.back')}</Link>
    </Card>
  );
}
