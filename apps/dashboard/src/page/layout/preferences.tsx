import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../design/icons.tsx';
import { Popup } from '../design/popup.tsx';
import { Select } from '../design/select.tsx';
import { changeTheme, savedTheme, THEMES, type Theme } from '../design/theme.ts';
import { Picture } from '../guilds/guild-icon.tsx';
import { changeLanguage } from '../i18n/i18n.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../i18n/languages.ts';
import type { Session } from '../session/read-session.ts';
import styles from './preferences.module.css';

type User = Session['user'];

interface PreferencesProps {
  readonly user?: User | undefined;
  /** The elements after the choices; `close` closes the panel. */
  readonly children?: (close: () => void) => ReactNode;
}

/** The button of the person, and what belongs to them: language, colours, and what else is passed. */
export function Preferences({ user, children }: PreferencesProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Popup isIcon label={user === undefined ? t('app.preferences') : t('app.menu')} button={<Avatar user={user} />}>
      {(close) => (
        <div className={styles.content}>
          {user !== undefined && <p className={styles.name}>{user.name}</p>}
          <LanguageChoice />
          <ThemeChoice />
          {children?.(close)}
        </div>
      )}
    </Popup>
  );
}

function LanguageChoice(): ReactNode {
  const { t, i18n } = useTranslation();
  const [hasFailed, setFailed] = useState(false);
  const options = LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value], lang: value }));
  return (
    <Select<Language>
      label={t('app.language')}
      value={LANGUAGES.find((language) => language === i18n.language) ?? 'en-US'}
      options={options}
      error={hasFailed ? t(`failure.${navigator.onLine ? 'unavailable' : 'offline'}.heading`) : undefined}
      onChange={async (language) => setFailed(!(await changeLanguage(language)))}
    />
  );
}

function ThemeChoice(): ReactNode {
  const { t } = useTranslation();
  const [theme, setTheme] = useState(savedTheme);
  const change = (chosen: Theme) => {
    setTheme(chosen);
    changeTheme(chosen);
  };
  const options = THEMES.map((value) => ({ value, text: t(`app.themes.${value}`) }));
  return <Select<Theme> label={t('app.theme')} value={theme} options={options} onChange={change} />;
}

function Avatar({ user }: { readonly user: User | undefined }): ReactNode {
  if (user === undefined) return <Icon name="user" />;
  const { id, name, avatar } = user;
  const path = avatar === null ? undefined : `avatars/${id}/${avatar}.webp?size=64`;
  return <Picture id={id} name={name} path={path} size="person" />;
}
