import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language } from '@guild-settings/contract';

interface Built {
  readonly file: string;
  readonly name?: string;
  readonly imports?: readonly string[];
}

/** The parts that a page loads beside the document's own script. */
interface PageParts {
  readonly modules: readonly string[];
  readonly texts: readonly string[];
  readonly data: readonly string[];
}

const GUILD = /^\/guilds\/(\d{1,20})(?:\/(history|access|transfer|danger))?\/?$/;

const GUILD_PAGES = {
  settings: 'settings/settings-page.tsx',
  history: 'history/history-page.tsx',
  access: 'access/access-page.tsx',
  transfer: 'transfer/transfer-page.tsx',
  danger: 'danger/danger-page.tsx',
} as const;

/** The texts that the page shares with the bot. */
const SHARED = 'shared';

/** The folders of the texts of pages of a guild: those that the router loads with them. */
const GUILD_TEXTS: Readonly<Record<keyof typeof GUILD_PAGES, readonly string[]>> = {
  settings: ['settings', SHARED],
  history: ['history', 'settings', SHARED],
  access: ['access', 'settings', SHARED],
  transfer: ['transfer'],
  danger: ['danger', 'settings'],
};

/** The declared settings, which the names of all settings depend on. */
const SETTINGS = 'settings.get';

export interface OpenedPage {
  readonly path: string;
  /** The person whom the browser has logged in; undefined: it has not. */
  readonly personId: string | undefined;
  readonly languages: string;
}

/**
 * Returns a function that makes the header `Link` of a document: what its page will load, so that the browser requests all of it
 * at once. Otherwise each file would be requested when the one before it has run.
 * @see https://html.spec.whatwg.org/multipage/links.html#link-type-modulepreload
 * @throws Error for a page of which the build has no module
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
    for (const folder of ['common', SHARED, ...Object.keys(GUILD_PAGES)]) linksOf(textsOf(folder, language));
  for (const module of ['app', 'pages', 'guild', ...Object.values(GUILD_PAGES)]) linksOf(module);
  // First, because nothing is painted before it.
  const styles = `</${builtOf(manifest, 'style.css').file}>; rel=preload; as=style; crossorigin`;
  return ({ path, personId, languages }) => {
    const isPerson = /^\d{17,20}$/.test(personId ?? '');
    const { modules, texts, data } = isPerson ? partsOf(path, `requested-for=${personId}`) : LOGIN;
    const language = languageOf(languages);
    const all = [...modules, ...texts.map((folder) => textsOf(folder, language))].flatMap(linksOf);
    const read = data.map((address) => `<${address}>; rel=preload; as=fetch; crossorigin`);
    return [...new Set([styles, ...all, ...read])].join(', ');
  };
}

const LOGIN: PageParts = { modules: [], texts: ['common'], data: ['/session'] };

const ROUTED: PageParts = { modules: ['app', 'pages'], texts: ['common'], data: ['/session'] };

/** A preloaded part that is not used at once would be used later, when it is outdated: the browser keeps it. */
function partsOf(path: string, person: string): PageParts {
  const [, guild, part = 'settings'] = GUILD.exec(path) ?? [];
  const guilds = `/trpc/users.guilds?${person}`;
  if (path === '/') return { modules: ['app'], texts: ['common'], data: ['/session', guilds] };
  if (guild === undefined) return ROUTED;
  const { modules, texts, data } = ROUTED;
  const page = part as keyof typeof GUILD_PAGES;
  const ofGuild = [...modules, 'guild', GUILD_PAGES[page]];
  const input = `${person}&input=${encodeURIComponent(JSON.stringify({ guild }))}`;
  const ofFrame = [...data, guilds, `/trpc/users.guild?${input}`];
  const ofPage = [...texts, ...GUILD_TEXTS[page]];
  if (page === 'history') return { modules: ofGuild, texts: ofPage, data: [...ofFrame, `/trpc/${SETTINGS}`] };
  if (page !== 'settings') return { modules: ofGuild, texts: ofPage, data: ofFrame };
  const calls = [`guilds.get?${input}`, `guilds.channels?${input}`, 'features.list', SETTINGS];
  return {
    modules: ofGuild,
    texts: ofPage,
    data: [...ofFrame, ...calls.map((call) => `/trpc/${call}`)],
  };
}

function textsOf(folder: string, language: Language): string {
  const file = `${language.toLowerCase()}.ts`;
  return folder === SHARED ? `../../../../packages/i18n/src/texts/${file}` : `i18n/locales/${folder}/${file}`;
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

/** Returns what the build has made of a module, of a step or of the styles. */
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
