const DISCORD_CDN = 'https://cdn.discordapp.com';

/**
 * Returns the address of an image at Discord. The service names another host in the document's `<meta name="cdn">`; empty: none, and
 * there are no images.
 */
export function cdnUrl(path: string): string | undefined {
  const host = document.querySelector('meta[name="cdn"]')?.getAttribute('content') ?? DISCORD_CDN;
  return host === '' ? undefined : `${host}/${path}`;
}
