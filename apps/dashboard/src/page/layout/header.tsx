import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '../design/link.tsx';
import { useUser } from '../session/session.ts';
import { GuildSwitcher } from './guild-switcher.tsx';
import styles from './header.module.css';
import { Logo } from './logo.tsx';
import { Preferences } from './preferences.tsx';

/** The head of every page: its name, the guild, and the person. */
export function Header(): ReactNode {
  const { t } = useTranslation();
  const user = useUser();
  const { guild } = useParams({ strict: false });
  return (
    <header className={styles.header}>
      <div className={styles.row}>
        <Link to="/" className={styles.home ?? ''}>
          <Logo />
          <span className={styles.name}>{t('app.name')}</span>
        </Link>
        {user !== undefined && guild !== undefined && <GuildSwitcher guild={guild} />}
        <span className={styles.space} />
        <Preferences user={user} />
      </div>
    </header>
  );
}
