import { useQuery } from '@tanstack/react-query';
import { Outlet, useMatch, useParams, useRouter, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useContext, useEffect, useLayoutEffect } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Popup } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import { Link } from '../design/link.tsx';
import { GuildIcon } from '../design/picture.tsx';
import { GuildListPage } from '../guilds/guild-list-page.tsx';
import { guildsQuery, titleOf, useGuild } from '../guilds/guilds.ts';
import { Filled, UNFILLED } from '../i18n/filled.tsx';
import { FrameContext } from './app.tsx';
import styles from './page-place.module.css';

export function PagePlace(): ReactNode {
  useFocusOnNavigation();
  const { headerPlace, onShown } = useContext(FrameContext);
  const { guild } = useParams({ strict: false });
  const isList = useMatch({ from: '/', shouldThrow: false }) !== undefined;
  const href = useRouterState({ select: ({ location }) => location.href });
  // Runs before the browser paints: the list in the frame disappears when the page is shown.
  useLayoutEffect(() => onShown(href, isList), [href, isList, onShown]);
  return (
    <>
      {headerPlace !== null && guild !== undefined && createPortal(<GuildSwitcher guild={guild} />, headerPlace)}
      <Outlet />
    </>
  );
}

/** The list of guilds when it is opened later; the frame shows it the first time. */
export function ListPlace(): ReactNode {
  return useContext(FrameContext).showsList ? null : <GuildListPage />;
}

/** Navigation between guilds. It only contains guilds with the bot; the list has the others. */
function GuildSwitcher({ guild: current }: { readonly guild: string }): ReactNode {
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
          <Filled
            isSpoken
            text={t('app.switchFrom', UNFILLED)}
            slots={{
              server: (
                <>
                  <GuildIcon guild={shown} size="small" />
                  <bdi className={styles.name}>{titleOf(shown)}</bdi>
                </>
              ),
            }}
          />
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
              <bdi className={styles.text}>{titleOf(guild)}</bdi>
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

/** Events that show that the person continues, so the focus must not be moved any more. */
const BY_PERSON = ['pointerdown', 'keydown'] as const;

/**
 * Moves the focus to the heading of a page after each navigation, as a browser does for a new document: screen readers
 * announce it, and Tab continues from there. While a page is loading, it has the focus itself, until its heading
 * exists.
 */
function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(() => {
    let observer: MutationObserver | undefined;
    const stop = () => observer?.disconnect();
    for (const type of BY_PERSON) document.addEventListener(type, stop, { capture: true });
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
      if (fromLocation === undefined || !pathChanged) return;
      // The settings focus their groups, or a setting named in the URL.
      if ('setting' in toLocation.search || isWithinSettings(fromLocation.pathname, toLocation.pathname)) return;
      observer?.disconnect();
      const main = document.querySelector<HTMLElement>('main');
      if (main === null) return;
      if (!focusHeading(main)) main.focus({ preventScroll: true });
      observer = new MutationObserver(() => {
        const { activeElement } = document;
        // The previous page disappears when the next one is shown: its heading has the focus until then, and for a
        // moment after it is hidden.
        const isAtHeading = activeElement?.tagName === 'H1';
        if (isAtHeading || activeElement === document.body || activeElement === main) focusHeading(main);
        // The person has already continued.
        else observer?.disconnect();
      });
      observer.observe(main, { childList: true, subtree: true });
    });
    return () => {
      unsubscribe();
      stop();
      for (const type of BY_PERSON) document.removeEventListener(type, stop, { capture: true });
    };
  }, [router]);
}

const SETTINGS = /^\/guilds\/([^/]+)(?:\/settings(?:\/[^/]*)?)?\/?$/;

/** Returns true if two URLs are of the settings of one guild. */
function isWithinSettings(from: string, to: string): boolean {
  const [, guild] = SETTINGS.exec(from) ?? [];
  return guild !== undefined && guild === SETTINGS.exec(to)?.[1];
}

function focusHeading(main: HTMLElement): boolean {
  const headings = [...main.querySelectorAll<HTMLElement>('h1:not([data-placeholder])')];
  const heading = headings.find((one) => one.getClientRects().length > 0);
  if (heading === undefined) return false;
  if (heading === document.activeElement) return true;
  heading.setAttribute('tabindex', '-1');
  heading.focus({ preventScroll: true });
  return true;
}
