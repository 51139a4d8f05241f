import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Returns the content of a `<meta>` element, in which the service provides data that is the same for all people. */
function metaOf(name: string): string | undefined {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? undefined;
}

/** Returns the name of the bot; undefined: unknown to the service. */
export function botName(): string | undefined {
  return metaOf('application-name');
}

/** Returns the name of the page: that of the bot, or a general one. */
export function useAppName(): string {
  const { t } = useTranslation();
  return botName() ?? t('app.name');
}

/** Returns the URL of the icon of the bot; undefined: none, or unknown to the service. */
export function appIcon(): string | undefined {
  const icon = metaOf('application-icon');
  return icon === undefined ? undefined : cdnUrl(`app-icons/${icon}.webp?size=128`);
}

/** Returns the operator's links for help and for the use of personal data. */
export function operatorLinks(): { readonly support: string | undefined; readonly privacy: string | undefined } {
  return { support: metaOf('support'), privacy: metaOf('privacy') };
}

const DISCORD_CDN = 'https://cdn.discordapp.com';

/**
 * Returns the URL of an image at Discord. The service may provide another host in the document's `<meta name="cdn">`;
 * empty: images are disabled.
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
