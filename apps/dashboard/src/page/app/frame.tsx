import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainLink, Popup } from '../design/button.tsx';
import { Select } from '../design/field.tsx';
import { Icon } from '../design/icons.tsx';
import { PageLoading, StatusRegion } from '../design/panels.tsx';
import { Logo, Picture } from '../design/picture.tsx';
import { changeLanguage } from '../i18n/i18n.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language } from '../i18n/languages.ts';
import { operatorLinks, useAppName } from '../service/identity.ts';
import type { Session } from '../session/read-session.ts';
import styles from './frame.module.css';

interface FrameProps {
  /** The link to the first page, around the name of the page. */
  readonly home: (name: ReactNode) => ReactNode;
  readonly start?: ReactNode;
  readonly end: ReactNode;
  readonly notice?: ReactNode;
  readonly children: ReactNode;
}

export function Frame({ home, start, end, notice, children }: FrameProps): ReactNode {
  const { t } = useTranslation();
  const name = (
    <span className={styles.home}>
      <Logo />
      <span className={styles.name}>{useAppName()}</span>
    </span>
  );
  return (
    <>
      <a href="#main" className={styles.skip}>
        {t('app.skip')}
      </a>
      <header className={styles.header}>
        <div className={styles.row}>
          {home(name)}
          {start}
          <span className={styles.space} />
          {end}
        </div>
      </header>
      {notice}
      <main id="main" tabIndex={-1} className={styles.main}>
        <Suspense fallback={<PageLoading />}>{children}</Suspense>
      </main>
      <Footer />
      <StatusRegion />
    </>
  );
}

function Footer(): ReactNode {
  const { t } = useTranslation();
  const { support, privacy } = operatorLinks();
  if (support === undefined && privacy === undefined) return null;
  return (
    <footer className={styles.footer}>
      {support !== undefined && <PlainLink href={support}>{t('app.support')}</PlainLink>}
      {privacy !== undefined && <PlainLink href={privacy}>{t('app.privacy')}</PlainLink>}
    </footer>
  );
}

type User = Session['user'];

interface PreferencesProps {
  readonly user?: User | undefined;
  /** The elements after the choices; `close` closes the panel. */
  readonly children?: (close: () => void) => ReactNode;
}

export function Preferences({ user, children }: PreferencesProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Popup isIcon label={user === undefined ? t('app.preferences') : t('app.menu')} button={<Avatar user={user} />}>
      {(close) => (
        <div className={styles.content}>
          {user !== undefined && (
            <p className={styles.menuName}>
              <bdi>{user.name}</bdi>
            </p>
          )}
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

/** The colour themes of the page: that of the device, unless the person has chosen another. */
const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const SAVED = 'theme';

export function savedTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(SAVED)) ?? 'system';
  } catch {
    return 'system';
  }
}

export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
}

/** Applies a theme, and stores it for the next visit. */
function changeTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(SAVED, theme);
  } catch {
    // Without storage, the choice applies to this visit.
  }
}
