import { getRouteApi, Outlet } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { useTranslation } from 'react-i18next';
import { Link } from '../design/link.tsx';
import { PageLoading } from '../design/skeleton.tsx';
import { announce } from '../design/status-region.tsx';
import styles from './guild-frame.module.css';
import { useBotPresent, useGuild } from './guilds.ts';
import { WaitingForBot } from './waiting-for-bot.tsx';

const route = getRouteApi('/guilds/$guild');

/** What every page of a guild has: the links between its pages. The header has its name. While the bot is absent, the invitation instead. */
export function GuildFrame(): ReactNode {
  const { t, i18n } = useTranslation();
  const { guild: id } = route.useParams();
  const guild = useGuild(id);
  const isPresent = useBotPresent(id);
  const [wasAbsent, setWasAbsent] = useState(false);
  useEffect(() => {
    if (isPresent === false) setWasAbsent(true);
    if (isPresent !== true || !wasAbsent || guild === undefined) return;
    setWasAbsent(false);
    announce(t('guilds.arrived', { name: guild.name }));
  }, [isPresent, wasAbsent, guild, t]);

  if (guild !== undefined && isPresent === false) return <WaitingForBot guild={guild} />;
  const params = { guild: id };
  return (
    <div className={styles.frame}>
      <nav aria-label={t('nav.label')} className={styles.nav}>
        <Link to="/guilds/$guild" params={params} activeOptions={{ exact: true }} className={styles.tab ?? ''}>
          {t('nav.settings')}
        </Link>
        <Link to="/guilds/$guild/history" params={params} className={styles.tab ?? ''}>
          {t('nav.history')}
        </Link>
        <Link to="/guilds/$guild/transfer" params={params} className={styles.tab ?? ''}>
          {t('nav.transfer')}
        </Link>
        <Link to="/guilds/$guild/danger" params={params} className={styles.tab ?? ''}>
          {t('nav.danger')}
        </Link>
      </nav>
      <Suspense fallback={<PageLoading />}>
        <I18nProvider locale={i18n.language}>
          <Outlet />
        </I18nProvider>
      </Suspense>
    </div>
  );
}
