import Fastify from 'fastify';

/** The smallest service: only /readyz. */
const app = Fastify();
app.get('/readyz', async () => ({ status: 'ok' }));
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 0) });
