import type { ServerResponse } from 'node:http';
import Fastify from 'fastify';

/**
 * Empty server-sent events: each POST sends one to every listener, after its response. Sent before, they would arrive before
 * the response, and there would be nothing to measure.
 */
const listeners = new Set<ServerResponse>();

const app = Fastify();
app.get('/readyz', async () => ({ status: 'ok' }));
app.get('/events', (_request, reply) => {
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
  reply.raw.write(': connected\n\n');
  listeners.add(reply.raw);
  reply.raw.on('close', () => listeners.delete(reply.raw));
});
app.post('/events', {
  handler: async () => ({ status: 'ok' }),
  onResponse: async () => {
    for (const listener of listeners) listener.write('data:\n\n');
  },
});
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 0) });
