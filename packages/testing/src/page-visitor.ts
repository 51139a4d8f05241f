import type { DiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION } from '@guild-settings/discord-sim/testing/world';
import { OPERATIONS_BY_PATH } from '../../../apps/api/src/operations/handlers.ts';
import { waitUntil } from './index.ts';
import { IDS, PAGE_ORIGIN } from './people.ts';

/** The variables that enable the page. With https, so that the URL of the service in a test does not matter. */
export const PAGE_ENV = {
  DASHBOARD_URL: PAGE_ORIGIN,
  DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
  SESSION_KEY: '2a'.repeat(32),
  TRUST_PROXY: '127.0.0.1',
} as const;

interface Visited {
  readonly url: string;
  readonly discord: DiscordSim;
}

/** Options of a request. A header with the value undefined is not sent. */
export interface Visit extends Omit<RequestInit, 'headers' | 'body'> {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON, unless it is a string. */
  readonly body?: unknown;
}

interface LoginOptions {
  readonly to?: string;
  /** The manager unless given. */
  readonly person?: string;
  /** True: the person consents. True unless given. */
  readonly isGranted?: boolean;
  readonly headers?: Visit['headers'];
  /** Changes the URL to which Discord redirects. */
  readonly change?: (callback: URL) => void | Promise<void>;
}

interface OpenStream {
  /** Resolves with the text of the stream after its end. */
  readonly whole: Promise<string>;
  text(): string;
}

const FROM_DISCORD = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };

/** A browser without scripts: it keeps cookies, and sends the same requests as the page. */
export class Browser {
  readonly #visited: Visited;
  readonly cookies: Map<string, string>;
  /** All headers that have set a cookie. */
  readonly setCookies: string[] = [];
  /** The id of the person whom the page shows. */
  person: string = IDS.manager;

  constructor(visited: Visited, cookies = new Map<string, string>()) {
    this.#visited = visited;
    this.cookies = cookies;
  }

  /** Returns this browser with its cookies at another process. */
  at(url: string): Browser {
    const { discord } = this.#visited;
    return Object.assign(new Browser({ url, discord }, this.cookies), { person: this.person });
  }

  copy(): Browser {
    return Object.assign(new Browser(this.#visited, new Map(this.cookies)), { person: this.person });
  }

  /** The id of the session in the cookie. */
  get session(): string {
    return this.cookies.get('__Host-session') ?? '';
  }

  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Sends a request like a script of the page. Does not follow redirects. */
  async visit(path: string, { headers, body, ...init }: Visit = {}): Promise<Response> {
    const sent: Visit['headers'] = {
      'sec-fetch-site': 'same-origin',
      'x-requested-by': 'dashboard',
      'x-requested-for': this.person,
      cookie: this.cookie || undefined,
      'content-type': body === undefined ? undefined : 'application/json',
      ...headers,
    };
    const response = await fetch(`${this.#visited.url}${path}`, {
      redirect: 'manual',
      ...init,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      headers: Object.entries(sent).filter((entry): entry is [string, string] => entry[1] !== undefined),
    });
    for (const header of response.headers.getSetCookie()) this.#keep(header);
    return response;
  }

  open(path: string, headers: Visit['headers'] = {}): Promise<Response> {
    const none = { 'x-requested-by': undefined, 'x-requested-for': undefined };
    return this.visit(path, { headers: { ...none, accept: 'text/html,*/*;q=0.8', ...headers } });
  }

  call(procedure: string, input: object = { guild: IDS.guild }, visit: Visit = {}): Promise<Response> {
    const path = `/trpc/${procedure}`;
    if (OPERATIONS_BY_PATH.get(procedure)?.type === 'mutation')
      return this.visit(path, { method: 'POST', body: input, ...visit });
    return this.visit(`${path}?input=${encodeURIComponent(JSON.stringify(input))}`, visit);
  }

  /** Returns the status of a read with the session. */
  async status(): Promise<number> {
    return (await this.call('guilds.get')).status;
  }

  /** Logs a person in, with all redirects. Returns the last response of the service. */
  async login(options: LoginOptions = {}): Promise<Response> {
    const { to = '/', person = IDS.manager, isGranted = true, headers, change } = options;
    const navigation = { ...FROM_DISCORD, ...headers };
    const begun = await this.open(`/login?${new URLSearchParams({ to })}`, navigation);
    const callback = await this.#decide(begun.headers.get('location') ?? '', {
      personId: person,
      authorize: isGranted,
    });
    await change?.(callback);
    this.person = person;
    return this.open(`${callback.pathname}${callback.search}`, navigation);
  }

  logout(): Promise<Response> {
    return this.visit('/logout', { method: 'POST', body: {} });
  }

  /** Opens the events of the guild, and waits for the first one. */
  async follow(visit?: Visit): Promise<OpenStream> {
    const response = await this.call('guilds.follow', undefined, visit);
    if (response.headers.get('content-type') !== 'text/event-stream')
      throw new Error(`Expected a stream, received ${response.status} ${await response.text()}`);
    let text = '';
    const read = async () => {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
      return text;
    };
    const whole = read();
    await waitUntil(() => text.includes('data: {"type"'), { message: 'the first event of the stream' });
    return { whole, text: () => text };
  }

  /** Decides on Discord's page. Returns the URL of the redirect. */
  async #decide(page: string, decision: object): Promise<URL> {
    const response = await fetch(page, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: this.#visited.discord.url },
      body: JSON.stringify(decision),
    });
    const { location } = (await response.json()) as { location: string };
    return new URL(location);
  }

  #keep(header: string): void {
    this.setCookies.push(header);
    const [pair = '', ...flags] = header.split('; ');
    const [name = '', value = ''] = pair.split('=', 2);
    if (value === '' || flags.includes('Max-Age=0')) this.cookies.delete(name);
    else this.cookies.set(name, decodeURIComponent(value));
  }
}

/** Returns a browser in which a person has logged in: the manager unless given. */
export async function loggedIn(visited: Visited, options?: LoginOptions): Promise<Browser> {
  const browser = new Browser(visited);
  await browser.login(options);
  return browser;
}
