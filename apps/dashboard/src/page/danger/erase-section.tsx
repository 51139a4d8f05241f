import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from '../design/link.tsx';
import { Card } from '../design/panels.tsx';
import { useGuild } from '../guilds/guilds.ts';
import styles from './danger.module.css';

/** The end of the settings for the owner of a guild, who alone may erase it: the link to the page that does. */
export function EraseSection({ guild }: { readonly guild: string }): ReactNode {
  const { t } = useTranslation('settings');
  if (useGuild(guild)?.owner !== true) return null;
  return (
    <Card aria-labelledby="erase" className={styles.section}>
      <div>
        <h2 id="erase">{t('erase.heading')}</h2>
        <p>{t('erase.text')}</p>
      </div>
      <Link button="danger-question" to="/guilds/$guild/danger" params={{ guild }}>
        {t('erase.open')}
      </Link>
    </Card>
  );
}
