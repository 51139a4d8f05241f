import { STATUS_CODES } from 'node:http';

/** An error page of the CDN in front of Discord. */
export function cloudflarePage(status: number): string {
  const title = status === 200 ? 'Just a moment...' : `discord.com | ${status}: ${STATUS_CODES[status] ?? 'Error'}`;
  return [
    '<!DOCTYPE html>',
    '<html lang="en-US">',
    `<head><title>${title}</title><meta charset="UTF-8" /></head>`,
    `<body><div id="cf-wrapper"><h1>${title}</h1><p>Cloudflare Ray ID: <code>8c0ffee0c0ffee00</code></p></div></body>`,
    '</html>',
    '',
  ].join('\n');
}
