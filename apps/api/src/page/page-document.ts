import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Application } from '@guild-settings/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type StaticContent, sendStatic, staticContent } from '../transport/docs/static-content.ts';

/** The reason why a login was refused before it could fail, which the document names in `<meta name="login">`. */
export type LoginRefusal = 'limited' | 'failed';

/** Sends the document, with the status that the reply has. */
export type SendDocument = (
  request: FastifyRequest,
  reply: FastifyReply,
  refusal?: LoginRefusal,
) => Promise<FastifyReply>;

interface DocumentOptions {
  /** The folder of the built page. */
  readonly folder: string;
  /** Names and contents of `<meta>` elements; undefined: without it. */
  readonly meta: Readonly<Record<string, string | undefined>>;
  /** Returns what is known of the application: its name and icon are the page's. */
  readonly application: () => Application;
}

/** The name of the page in the document, where the application's takes its place. */
const NAME = '>Guild settings<';

/** Documents that are kept prepared. Names and icons change rarely. */
const MAX_PREPARED = 30;

/**
 * Returns a function that sends the document of the page, which is the same for everybody: the page reads the session itself. The name
 * of the application, the standard `application-name`, is that of the page, also for link previews, which run no script.
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
