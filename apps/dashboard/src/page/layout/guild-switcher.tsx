import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../design/icons.tsx';
import { Link } from '../design/link.tsx';
import { Popup } from '../design/popup.tsx';
import { GuildIcon } from '../guilds/guild-icon.tsx';
import { guildsQuery, titleOf, useGuild } from '../guilds/guilds.ts';
import styles from './guild-switcher.module.css';

/** The way from one guild to another. Only guilds with the bot are in it; the list has the others. */
export function GuildSwitcher({ guild: current }: { readonly guild: string }): ReactNode {
  const { t } = useTranslation();
  const { data: guilds = [] } = useQuery(guildsQuery);
  const shown = useGuild(current);
  if (shown === undefined) return null;
  const others = guilds.filter(({ id, botPresent }) => botPresent !== false || id === current);
  return (
    <Popup
      side="start"
      button={
        <>
          <span className="visually-hidden">{t('app.switchServer')}: </span>
          <GuildIcon guild={shown} size="small" />
          <span className={styles.name}>{titleOf(shown)}</span>
          <Icon name="chevron" size="1rem" />
        </>
      }
    >
      {(close) => (
        <nav aria-label={t('app.switchServer')} className={styles.guilds}>
          {others.map((guild) => (
            <Link
              key={guild.id}
              to="/guilds/$guild"
              params={{ guild: guild.id }}
              className={styles.guild ?? ''}
              onClick={close}
            >
              <GuildIcon guild={guild} size="small" />
              <span className={styles.text}>{titleOf(guild)}</span>
              {guild.id === current && <Icon name="check" size="1rem" />}
            </Link>
          ))}
          <Link to="/" className={styles.guild ?? ''} onClick={close}>
            <span className={styles.all}>
              <Icon name="grid" />
            </span>
            {t('app.allServers')}
          </Link>
        </nav>
      )}
    </Popup>
  );
}
