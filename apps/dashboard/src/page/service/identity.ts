import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Returns the content of a `<meta>` element, by which the service says what is the same for everybody. */
function metaOf(name: string): string | undefined {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? undefined;
}

/** Returns the name of the bot; undefined: the service does not know it. */
export function botName(): string | undefined {
  return metaOf('application-name');
}

/** Returns the name of the page: that of the bot, or a general one. */
export function useAppName(): string {
  const { t } = useTranslation();
  return botName() ?? t('app.name');
}

/** Returns the address of the icon of the bot; undefined: it has none, or the service does not know it. */
export function appIcon(): string | undefined {
  const icon = metaOf('application-icon');
  return icon === undefined ? undefined : cdnUrl(`app-icons/${icon}.webp?size=128`);
}

/** Returns where the operator says that people find help, and what becomes of their data. */
export function operatorLinks(): { readonly support: string | undefined; readonly privacy: string | undefined } {
  return { support: metaOf('support'), privacy: metaOf('privacy') };
}

const DISCORD_CDN = 'https://cdn.discordapp.com';

/**
 * Returns the address of an image at Discord. The service names another host in the document's `<meta name="cdn">`; empty: none, and
 * there are no images.
 */
export function cdnUrl(path: string): string | undefined {
  const host = document.querySelector('meta[name="cdn"]')?.getAttribute('content') ?? DISCORD_CDN;
  return host === '' ? undefined : `${host}/${path}`;
}

/** Sets the title of the document: that of the page and its subject, such as "History · Discord Testers · Server settings". */
export function usePageTitle(...parts: readonly (string | undefined)[]): void {
  const title = [...parts, useAppName()].filter((part) => part !== undefined).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
