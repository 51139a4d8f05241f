export interface Cookie {
  readonly name: string;
  readonly value: string;
}

export async function logIn(url: string, personId: string): Promise<readonly Cookie[]> {
  const begun = await visit(`${url}/login`);
  const login = cookiesOf(begun).map(({ name, value }) => `${name}=${value}`);
  const page = locationOf(begun);
  const decided = await fetch(page, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(page).origin },
    body: JSON.stringify({ personId, authorize: true }),
  });
  const { location } = (await decided.json()) as { readonly location: string };
  const ended = await visit(location, { cookie: login.join('; ') });
  const cookies = cookiesOf(ended).filter(({ value }) => value !== '');
  if (!cookies.some(({ name }) => name === 'session'))
    throw new Error(`Expected a session, received ${ended.status} and ${locationOf(ended)}`);
  return cookies;
}

/** Sends a request as a navigation that Discord's page has caused. */
function visit(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const navigation = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  return fetch(url, { redirect: 'manual', headers: { ...navigation, ...headers } });
}

function locationOf({ headers }: Response): string {
  return headers.get('location') ?? '';
}

function cookiesOf({ headers }: Response): Cookie[] {
  return headers.getSetCookie().map((header) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
    return { name, value };
  });
}
