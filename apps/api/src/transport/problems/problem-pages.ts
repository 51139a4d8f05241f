import { isProblemSlug, PROBLEMS, ProblemError, type ProblemSlug } from '@guild-settings/contract';
import type { FastifyInstance } from 'fastify';
import { NO_ICON } from '../docs/no-icon.ts';
import { CACHING, type StaticContent, sendStatic, staticContent } from '../docs/static-content.ts';
import { NOT_FRAMED } from '../headers/response-headers.ts';

/** Serves a short page for every `type` that a problem document names. */
export function mountProblemPages(app: FastifyInstance): void {
  const pages = new Map<ProblemSlug, Promise<StaticContent>>();
  const config = { publicResults: () => 1 };
  app.get<{ Params: { slug: string } }>('/problems/:slug', { config }, async (request, reply) => {
    const { slug } = request.params;
    if (!isProblemSlug(slug)) throw new ProblemError('not-found');
    const page = pages.get(slug) ?? preparePage(slug);
    pages.set(slug, page);
    return sendStatic(request, reply, await page);
  });
}

/** Renders the page of a problem. Its texts are constants of the catalogue, so nothing is escaped. */
function preparePage(slug: ProblemSlug): Promise<StaticContent> {
  const { title, text, status, code, retryable } = PROBLEMS[slug];
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8">${NO_ICON}<title>${title}</title></head>
<body>
<h1>${title}</h1>
<p>${text}</p>
<p>HTTP ${status}, code ${code}. ${retryable ? 'The same request may succeed later.' : 'The same request will fail again.'}</p>
</body>
</html>
`;
  return staticContent(html, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; img-src data:; ${NOT_FRAMED}`,
    'cache-control': CACHING.revalidated,
  });
}
