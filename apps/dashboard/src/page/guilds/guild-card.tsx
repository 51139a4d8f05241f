import type { ManagedGuildSummary } from '@guild-settings/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../design/icons.tsx';
import { PageLink } from '../design/page-link.tsx';
import { GuildIcon } from '../design/picture.tsx';
import styles from './guild-card.module.css';
import { titleOf } from './guilds.ts';
import { InviteLink } from './invite-link.tsx';

export function GuildCard({ guild }: { readonly guild: ManagedGuildSummary }): ReactNode {
  const { t } = useTranslation();
  const isAbsent = guild.botPresent === false;
  const isManager = guild.access === 'manager';
  return (
    <article className={styles.card}>
      <GuildIcon guild={guild} />
      <div className={styles.text}>
        <h3 className={styles.name}>
          {isAbsent ? (
            titleOf(guild)
          ) : (
            <PageLink href={`/guilds/${guild.id}`} className={styles.link ?? ''}>
              {titleOf(guild)}
            </PageLink>
          )}
        </h3>
        <p className={styles.note}>
          {isManager ? (
            !isAbsent && guild.owner && t('guilds.owner')
          ) : (
            <span className={styles.badge}>{t(guild.access === 'editor' ? 'guilds.editor' : 'guilds.viewer')}</span>
          )}
          {isAbsent && t('guilds.absent')}
        </p>
      </div>
      {!isAbsent && <Icon name="chevron" />}
      {isAbsent && isManager && <InviteLink guild={guild} kind="secondary" />}
    </article>
  );
}
