import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { recordOf } from '../data/guilds.ts';

/**
 * The least that a fan-out can be: a PATCH is responded to, and then its event is written to one socket after another. Nothing
 * is stored, and watchers cannot resume.
 */
const watchers = new Set<Socket>();
let revision = 0;

const server = createServer(async (request, response) => {
  if (request.url === '/readyz') {
    response.end(`{"status":"ok"}`);
    return;
  }
  if (request.method === 'PATCH') {
    const { prefix } = JSON.parse(await text(request)) as { readonly prefix: string };
    const id = request.url?.split('/').at(-1) ?? '';
    revision += 1;
    const guild = { ...recordOf(id, 0), prefix };
    const body = JSON.stringify(guild);
    response.setHeader('content-length', body.length);
    response.end(body);
    const event = Buffer.from(
      `data: ${JSON.stringify({ type: 'guild', revision, guild })}\nid: ${EPOCH}-${revision}\n\n`,
    );
    for (const watcher of watchers) watcher.write(event);
    return;
  }
  const { socket } = request;
  socket.setNoDelay();
  socket.write(
    'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\ndata: {"type":"live"}\n\n',
  );
  watchers.add(socket);
  socket.on('close', () => watchers.delete(socket));
});

const EPOCH = '3f0c2a34-0000-4000-8000-000000000000';

server.listen(Number(process.env.PORT ?? 0), '127.0.0.1');
