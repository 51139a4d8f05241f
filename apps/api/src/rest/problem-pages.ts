import { isProblemSlug, PROBLEMS, ProblemError } from '@guild-settings/contract';
import type { FastifyInstance } from 'fastify';

/** A short page for every `type` that a problem document names. Its text is the catalogue's own, so nothing is escaped. */
export function mountProblemPages(app: FastifyInstance): void {
  app.get<{ Params: { slug: string } }>('/problems/:slug', async ({ params: { slug } }, reply) => {
    if (!isProblemSlug(slug)) throw new ProblemError('not-found');
    const { title, text, status, code, retryable } = PROBLEMS[slug];
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'")
      .send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title></head>
<body>
<h1>${title}</h1>
<p>${text}</p>
<p>HTTP ${status}, code ${code}. ${retryable ? 'The same request may succeed later.' : 'The same request will fail again.'}</p>
</body>
</html>
`);
  });
}
