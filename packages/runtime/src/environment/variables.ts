import { isIPv6 } from 'node:net';
import { z } from 'zod';

/** The name or the IP address at which a program listens. Parsed without the brackets that an IPv6 address has in URLs. */
export const Host = z
  .string()
  .transform((host) => /^\[(.+)\]$/.exec(host)?.[1] ?? host)
  .refine(
    (host) => isIPv6(host) || !/[[\]:/\s]/.test(host),
    'expected a host name or an IP address without a port, such as 127.0.0.1 or ::1',
  );

/** The base URL of an HTTP service, without credentials. Parsed without slashes at the end. */
export const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'expected an http(s) URL', abort: true })
  .refine(
    (url) => new URL(url).username === '' && new URL(url).password === '',
    'expected a URL without a user name and password',
  )
  .transform((url) => url.replace(/\/+$/, ''))
  .meta({ isHidden: true });

/** A secret as Discord shows it: printable ASCII without quotes and spaces, and so without the scheme of a header. */
export const Secret = z
  .string('expected a secret of your application')
  .regex(/^(?!.*["'`])[\x21-\x7e]+$/, 'expected a secret as Discord shows it, without spaces and quotes')
  .meta({ isSecret: true });

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const LogLevel = z.enum(LEVELS).describe(`Least level of the lines of the log: ${LEVELS.join(', ')}.`);

/** Makes the schema of an integer in decimal digits: `Number` would also parse white space as 0, and `0x10` as 16. */
export function integer({ min = 0, max }: { readonly min?: number; readonly max: number }) {
  const message = `expected an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** Returns the path of a `file:` URL, which may be relative: `file:./data/bot.db`. */
export function filePathOf(url: string): string {
  return url.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
}
