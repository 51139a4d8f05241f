import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import { Link } from '../design/link.tsx';
import { NativeSelect } from '../design/native-select.tsx';
import { Popup } from '../design/popup.tsx';
import { changeTheme, savedTheme, THEMES, type Theme } from '../design/theme.ts';
import { changeLanguage } from '../i18n/i18n.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../i18n/languages.ts';
import { cdnUrl } from '../service/cdn.ts';
import { logOut, type Session } from '../session/session.ts';
import styles from './preferences.module.css';

type User = Session['user'];

/** The button of the person, and what belongs to them: language, colours, sessions, logging out. Before a login without the last two. */
export function Preferences({ user }: { readonly user: User | undefined }): ReactNode {
  const { t } = useTranslation();
  return (
    <Popup isIcon label={user === undefined ? t('app.preferences') : t('app.menu')} button={<Avatar user={user} />}>
      {(close) => (
        <div className={styles.content}>
          {user !== undefined && <p className={styles.name}>{user.name}</p>}
          <LanguageChoice />
          <ThemeChoice />
          {user !== undefined && <SessionActions onDone={close} />}
        </div>
      )}
    </Popup>
  );
}

function LanguageChoice(): ReactNode {
  const { t, i18n } = useTranslation();
  const options = LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value], lang: value }));
  return (
    <NativeSelect<Language>
      label={t('app.language')}
      value={LANGUAGES.find((language) => language === i18n.language) ?? 'en-US'}
      options={options}
      onChange={(language) => void changeLanguage(language)}
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
  return <NativeSelect<Theme> label={t('app.theme')} value={theme} options={options} onChange={change} />;
}

function SessionActions({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [failed, setFailed] = useState(false);
  const leave = async () => {
    try {
      await logOut(client);
      onDone();
      await navigate({ to: '/' });
    } catch {
      setFailed(true);
    }
  };
  return (
    <div className={styles.actions}>
      <Link to="/sessions" button="quiet" onClick={onDone}>
        {t('app.sessions')}
      </Link>
      <Button kind="secondary" onPress={() => void leave()}>
        {t('app.logOut')}
      </Button>
      {failed && <p role="alert">{t('failure.unavailable.heading')}</p>}
    </div>
  );
}

function Avatar({ user }: { readonly user: User | undefined }): ReactNode {
  const [failed, setFailed] = useState(false);
  const url = user?.avatar == null ? undefined : cdnUrl(`avatars/${user.id}/${user.avatar}.webp?size=64`);
  if (url === undefined || failed) return <Icon name="user" />;
  return <img className={styles.avatar} src={url} alt="" onError={() => setFailed(true)} />;
}
