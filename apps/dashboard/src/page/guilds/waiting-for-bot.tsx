import type { ManagedGuildSummary } from '@guild-settings/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '../design/link.tsx';
import { Card } from '../design/panels.tsx';
import { GuildIcon } from '../design/picture.tsx';
import { usePageTitle } from '../service/identity.ts';
import { titleOf } from './guilds.ts';
import { InviteLink } from './invite-link.tsx';
import styles from './waiting-for-bot.module.css';

/** The page of a guild without the bot: the invitation for managers. The settings take its place when the bot has joined. */
export function WaitingForBot({ guild }: { readonly guild: ManagedGuildSummary }): ReactNode {
  const { t } = useTranslation();
  usePageTitle(titleOf(guild));
  return (
    <Card className={styles.card}>
      <GuildIcon guild={guild} size="large" />
      <p className={styles.name}>{titleOf(guild)}</p>
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
