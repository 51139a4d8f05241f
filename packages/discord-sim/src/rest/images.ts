import type { FastifyInstance } from 'fastify';
import type { World } from '../world/world.ts';

/** The file name of an image: its hash, and a format supported by Discord. */
const FILE = /^((?:a_)?[\da-f]{32})\.(?:png|jpg|jpeg|webp|gif)$/;

interface ImageParameters {
  readonly id: string;
  readonly file: string;
}

/**
 * Registers the icons of guilds and applications and the avatars of users: an image of one pixel, with its own colour,
 * for every requested format and size.
 *
 * @see https://discord.com/developers/docs/reference#image-formatting
 */
export function images(app: FastifyInstance, world: World): void {
  const hashOf = {
    icons: (id: string) => world.guilds.find(id)?.icon,
    avatars: (id: string) => world.findUser(id)?.avatar,
    'app-icons': (id: string) => world.findApplication(id)?.icon,
  };
  for (const [kind, find] of Object.entries(hashOf)) {
    app.get<{ Params: ImageParameters }>(`/${kind}/:id/:file`, async ({ params: { id, file } }, reply) => {
      const hash = FILE.exec(file)?.[1];
      if (hash === undefined || hash !== find(id)) return reply.code(404).send();
      return reply.type('image/gif').header('cache-control', 'public, max-age=31536000').send(pixel(hash));
    });
  }
}

/** Returns a GIF of one pixel, whose colour is the first six digits of a hash. */
function pixel(hash: string): Buffer {
  const colour = Buffer.from(hash.replace('a_', '').slice(0, 6), 'hex');
  const header = Buffer.from('47494638396101000100800000', 'hex');
  const frame = Buffer.from('0000002c00000000010001000002024401003b', 'hex');
  return Buffer.concat([header, colour, frame]);
}
