import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../design/icons.tsx';
import styles from './guild-search.module.css';

interface GuildSearchProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function GuildSearch({ value, onChange }: GuildSearchProps): ReactNode {
  const { t } = useTranslation();
  return (
    <search className={styles.search}>
      <Icon name="search" />
      <input
        type="search"
        className={styles.input}
        aria-label={t('guilds.search')}
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
