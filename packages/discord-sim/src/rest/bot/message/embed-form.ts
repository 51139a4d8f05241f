import { type APIEmbed, EmbedType } from 'discord-api-types/v10';
import { z } from 'zod';
import { flag, integer, list, optional, text, timestamp, url, withoutUndefined } from '../../form/fields.ts';

const MAX_EMBEDS = 10;
const MAX_FIELDS = 25;
const MAX_URL = 2_048;
/** Of all embeds of a message together. */
const MAX_CHARACTERS = 6_000;

const media = optional(z.object({ url: optional(url(MAX_URL)), description: optional(text({ max: 4_096 })) }));

const embed = z
  .object({
    title: optional(text({ max: 256 })),
    description: optional(text({ max: 4_096 })),
    url: optional(url(MAX_URL)),
    color: optional(integer({ min: 0, max: 0xff_ff_ff })),
    timestamp: optional(timestamp),
    author: optional(
      z.object({
        name: text({ min: 1, max: 256 }),
        url: optional(url(MAX_URL)),
        icon_url: optional(url(MAX_URL)),
      }),
    ),
    footer: optional(z.object({ text: text({ min: 1, max: 2_048 }), icon_url: optional(url(MAX_URL)) })),
    image: media,
    thumbnail: media,
    fields: optional(
      list(
        z.object({
          name: text({ min: 1, max: 256 }),
          value: text({ min: 1, max: 1_024 }),
          inline: optional(flag).transform((inline = false) => inline),
        }),
        { max: MAX_FIELDS },
      ),
    ),
  })
  // The fields above are those of the type, without the ones that are missing.
  .transform((fields): APIEmbed => withoutUndefined({ ...fields, type: EmbedType.Rich }) as APIEmbed);

/**
 * The embeds of a message that a bot sends.
 *
 * @see https://discord.com/developers/docs/resources/message#embed-object-embed-limits
 */
export const embeds = list(embed, { max: MAX_EMBEDS }).refine(
  (parsed) => parsed.reduce((sum, each) => sum + charactersOf(each), 0) <= MAX_CHARACTERS,
  { error: `Embed size exceeds maximum size of ${MAX_CHARACTERS}`, params: { code: 'MAX_EMBED_SIZE_EXCEEDED' } },
);

function charactersOf({ title = '', description = '', author, footer, fields = [] }: APIEmbed): number {
  const texts = [title, description, author?.name ?? '', footer?.text ?? ''];
  return [...texts, ...fields.flatMap(({ name, value }) => [name, value])].reduce(
    (sum, part) => sum + [...part].length,
    0,
  );
}
