import { expect, test } from 'vitest';
import { Browser } from '../../src/testing/browser.ts';
import { sharedDashboard } from '../../src/testing/shared-dashboard.ts';

const here = sharedDashboard();
const browser = new Browser();
const READ = '/trpc/guilds.get?input=%7B%7D';

test('the content security policy has no unsafe-inline, and requires trusted types', async () => {
  for (const path of ['/', '/session', '/assets/none.js', READ]) {
    const response = await here.dashboard.visit(browser, path, { headers: { accept: 'text/html' } });
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toBe(
      "default-src 'none';script-src 'self';style-src 'self';img-src 'self' https://cdn.discordapp.com;connect-src 'self';" +
        "font-src 'self';manifest-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none';" +
        "require-trusted-types-for 'script';trusted-types 'none'",
    );
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(response.headers.get('referrer-policy')).toBe('same-origin');
  }
});
