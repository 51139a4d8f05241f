/** Options of a request. */
export interface Visit extends Omit<RequestInit, 'headers' | 'body'> {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** A browser without scripts: it keeps cookies, and sends what a page of the dashboard would. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** Every header of a response that has set a cookie. */
  readonly setCookies: string[] = [];

  /** Sends a request as a page of the dashboard does. Follows no redirect. */
  async visit(url: string, { headers = {}, body, ...init }: Visit = {}): Promise<Response> {
    const given = { 'sec-fetch-site': 'same-origin', cookie: this.#cookieHeader(), ...headers };
    const present = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      ...json,
      headers: { ...type, ...Object.fromEntries(present) },
    });
    for (const header of response.headers.getSetCookie()) this.#keep(header);
    return response;
  }

  #cookieHeader(): string | undefined {
    const pairs = [...this.cookies].map(([name, value]) => `${name}=${value}`);
    return pairs.length === 0 ? undefined : pairs.join('; ');
  }

  #keep(header: string): void {
    this.setCookies.push(header);
    const [pair = '', ...flags] = header.split('; ');
    const [name = '', value = ''] = pair.split('=', 2);
    if (value === '' || flags.includes('Max-Age=0')) this.cookies.delete(name);
    else this.cookies.set(name, decodeURIComponent(value));
  }
}
