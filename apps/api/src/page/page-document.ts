import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Application, LANGUAGES, type Language } from '@guild-settings/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type StaticContent, sendStatic, staticContent } from '../transport/static-content.ts';

/** The reason why a login was refused, which the document has in `<meta name="login">`. */
type LoginRefusal = 'limited' | 'failed';

export type SendDocument = (
  request: FastifyRequest,
  reply: FastifyReply,
  refusal?: LoginRefusal,
) => Promise<FastifyReply>;

interface DocumentOptions {
  readonly folder: string;
  /** Names and contents of `<meta>` elements; undefined: omitted. */
  readonly meta: Readonly<Record<string, string | undefined>>;
  /** Returns the application as known: its name and icon are those of the page. */
  readonly application: () => Application;
}

/** The default page name in the document, which is replaced by the application's name. */
const NAME = '>Server settings<';

/** Number of prepared documents that are kept. Names and icons rarely change. */
const MAX_PREPARED = 30;

/**
 * Returns a function that sends the document of the page. It is the same for all people: the page reads the session
 * itself. The standard `application-name` gives the page's name to link previews, which do not run scripts.
 * @see https://html.spec.whatwg.org/multipage/semantics.html#meta-application-name
 */
export function pageDocument({ folder, meta, application }: DocumentOptions): SendDocument {
  const source = readFileSync(join(folder, 'index.html'), 'utf8');
  const prepared = new Map<string, Promise<StaticContent>>();
  const prepare = (named: DocumentOptions['meta']) => {
    const name = named['application-name'];
    const elements = Object.entries(named).flatMap(([key, content]) =>
      content === undefined ? [] : [`<meta name="${key}" content="${escaped(content)}">`],
    );
    const document = source.replace('<head>', () => `<head>${elements.join('')}`);
    return staticContent(name === undefined ? document : document.replaceAll(NAME, () => `>${escaped(name)}<`), {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': named.login === undefined ? 'no-cache' : 'no-store',
    });
  };
  return async (request, reply, login) => {
    const { id, name, icon } = application();
    const key = JSON.stringify([login, name, icon]);
    if (prepared.size > MAX_PREPARED) prepared.clear();
    const names = { 'application-name': name ?? undefined, 'application-icon': icon ? `${id}/${icon}` : undefined };
    const content = prepared.get(key) ?? prepare({ ...meta, ...names, login });
    prepared.set(key, content);
    return sendStatic(request, reply, await content);
  };
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

interface Built {
  readonly file: string;
  readonly name?: string;
  readonly imports?: readonly string[];
}

/** The parts that a page loads besides the document's own script. */
interface PageParts {
  readonly modules: readonly string[];
  /** Namespaces of texts. */
  readonly texts: readonly string[];
  readonly data: readonly string[];
}

/** Each group of settings has a URL. */
const GUILD = /^\/guilds\/(\d{1,20})(?:\/(history|access|transfer|danger)|\/settings(?:\/[\w-]{1,64})?)?\/?$/;

/** The namespace of the texts that page and bot share. */
const SHARED = 'shared';

/** The query for the declared settings, on which the names of all settings depend. */
const SETTINGS = '/trpc/settings.get';

/** The pages of a guild: what the router loads for each, and the first calls that it makes. */
const GUILD_PAGES = {
  settings: {
    module: 'form',
    texts: ['settings', SHARED],
    calls: ['guilds.get', 'guilds.channels'],
    data: ['/trpc/features.list', SETTINGS],
  },
  history: { module: 'history/history-page.tsx', texts: ['history', 'settings', SHARED], calls: [], data: [SETTINGS] },
  access: { module: 'access/access-page.tsx', texts: ['access', 'settings', SHARED], calls: [], data: [] },
  transfer: { module: 'transfer/transfer-page.tsx', texts: ['transfer'], calls: [], data: [] },
  danger: { module: 'danger/danger-page.tsx', texts: ['danger', 'settings'], calls: [], data: [] },
} as const;

interface OpenedPage {
  readonly path: string;
  /** The person who is logged in with the browser; undefined: none. */
  readonly personId: string | undefined;
  readonly languages: string;
}

/**
 * Returns a function that makes the `Link` header of a document: everything that its page will load, so that the
 * browser requests all of it at once. Otherwise each file would only be requested after the previous one has run.
 * @see https://html.spec.whatwg.org/multipage/links.html#link-type-modulepreload
 * @throws Error for a page whose module is missing in the build
 */
export function preloadLinks(pageFolder: string): (page: OpenedPage) => string {
  const manifest = JSON.parse(readFileSync(join(pageFolder, '.vite/manifest.json'), 'utf8')) as Record<string, Built>;
  const links = new Map<string, readonly string[]>();
  const linksOf = (module: string) => {
    const known = links.get(module) ?? linksOfModule(manifest, module);
    links.set(module, known);
    return known;
  };
  for (const language of LANGUAGES)
    for (const namespace of ['common', SHARED, ...Object.keys(GUILD_PAGES)]) linksOf(textsOf(namespace, language));
  const modules = Object.values(GUILD_PAGES).map(({ module }) => module);
  for (const module of ['app', 'pages', 'guild', ...modules]) linksOf(module);
  // First, because painting waits for it.
  const styles = `</${builtOf(manifest, 'style.css').file}>; rel=preload; as=style; crossorigin`;
  return ({ path, personId, languages }) => {
    const isPerson = /^\d{17,20}$/.test(personId ?? '');
    const { modules, texts, data } = isPerson ? partsOf(path, `requested-for=${personId}`) : LOGIN;
    const language = languageOf(languages);
    const all = [...modules, ...texts.map((namespace) => textsOf(namespace, language))].flatMap(linksOf);
    const read = data.map((address) => `<${address}>; rel=preload; as=fetch; crossorigin`);
    return [...new Set([styles, ...all, ...read])].join(', ');
  };
}

const LOGIN: PageParts = { modules: [], texts: ['common'], data: ['/session'] };

/** Only parts that are used at once are preloaded: the browser keeps others, and uses them when they are outdated. */
function partsOf(path: string, person: string): PageParts {
  const { texts, data } = LOGIN;
  const ofPerson = [...data, `/trpc/users.guilds?${person}`];
  if (path === '/') return { modules: ['app'], texts, data: ofPerson };
  const [, guild, name = 'settings'] = GUILD.exec(path) ?? [];
  if (guild === undefined) return { modules: ['app', 'pages'], texts, data };
  const page = GUILD_PAGES[name as keyof typeof GUILD_PAGES];
  const input = encodeURIComponent(JSON.stringify({ guild }));
  const calls = ['users.guild', ...page.calls].map((call) => `/trpc/${call}?${person}&input=${input}`);
  return {
    modules: ['app', 'pages', 'guild', page.module],
    texts: [...texts, ...page.texts],
    data: [...ofPerson, ...calls, ...page.data],
  };
}

function textsOf(namespace: string, language: Language): string {
  const file = `locales/${language}/${namespace}.json`;
  return namespace === SHARED ? `../../../../packages/i18n/src/${file}` : `i18n/${file}`;
}

/** Returns the language in which the page will open, unless the person has chosen another one on it. */
function languageOf(header: string): Language {
  for (const tag of header.split(',', 20)) {
    const found = LANGUAGES.find((language) => baseOf(language) === baseOf(tag));
    if (found !== undefined) return found;
  }
  return 'en-US';
}

function baseOf(tag: string): string {
  return /^\s*([a-z]+)/i.exec(tag)?.[1]?.toLowerCase() ?? '';
}

function builtOf(manifest: Readonly<Record<string, Built>>, module: string): Built {
  const built = manifest[module] ?? Object.values(manifest).find(({ name }) => name === module);
  if (built === undefined) throw new Error(`Expected ${module} in the manifest of the built page`);
  return built;
}

function linksOfModule(manifest: Readonly<Record<string, Built>>, name: string): string[] {
  const links = new Set<string>();
  const visit = (module: string) => {
    const built = builtOf(manifest, module);
    const link = `</${built.file}>; rel=modulepreload`;
    if (links.has(link)) return;
    links.add(link);
    for (const imported of built.imports ?? []) visit(imported);
  };
  visit(name);
  return [...links];
}
