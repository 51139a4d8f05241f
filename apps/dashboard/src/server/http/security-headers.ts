import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';

const YEAR_SECONDS = 31_536_000;

interface SecurityOptions {
  readonly isHttps: boolean;
  readonly imageOrigin: string;
}

/**
 * Sets the security headers of every response. Pages run scripts and styles of this origin alone, none of them inline, and no
 * script may make text into HTML or code.
 * @see https://www.w3.org/TR/CSP3/
 */
export async function setSecurityHeaders(app: FastifyInstance, options: SecurityOptions): Promise<void> {
  const headers = await headersOfHelmet(options);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** Returns the headers that helmet sets: the same for every response, of which it would compute them anew. */
async function headersOfHelmet({ isHttps, imageOrigin }: SecurityOptions): Promise<Record<string, string>> {
  const sample = Fastify();
  await sample.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", imageOrigin],
        connectSrc: ["'self'"],
        fontSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        trustedTypes: ["'none'"],
      },
    },
    // A page of another origin may not be embedded, so that embedding needs no agreement of Discord's servers.
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    // Requests without Sec-Fetch-Site are judged by Origin or Referer.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: isHttps && { maxAge: YEAR_SECONDS, includeSubDomains: false },
  });
  const headers: Record<string, string> = {};
  sample.get('/', (_request, reply) => {
    for (const [name, value] of Object.entries(reply.getHeaders())) headers[name] = String(value);
    return reply.send();
  });
  await sample.inject('/');
  await sample.close();
  return headers;
}
