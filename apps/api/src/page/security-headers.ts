const YEAR_SECONDS = 31_536_000;

interface SecurityOptions {
  /** The origin of the page. */
  readonly origin: string;
  /** The origin of the icons of guilds and people. */
  readonly imageOrigin: string;
}

/**
 * Returns the security headers of the page and its routes. Pages run scripts and styles of their origin alone, none of them inline, and
 * no script may make text into HTML or code.
 * @see https://www.w3.org/TR/CSP3/
 */
export function securityHeaders({ origin, imageOrigin }: SecurityOptions): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' ${imageOrigin}`,
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'content-security-policy': policy.join(';'),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    // Requests without Sec-Fetch-Site are judged by Origin or Referer.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-frame-options': 'DENY',
    ...(origin.startsWith('https:') && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
  };
}
