import { AllowedMentionsTypes, type APIAllowedMentions } from 'discord-api-types/v10';
import { z } from 'zod';
import { choice, flag, id, list, optional } from '../../form/fields.ts';
import { withoutUndefined } from '../../form/without-undefined.ts';

const MAX_IDS = 100;
const { User, Role, Everyone } = AllowedMentionsTypes;

/**
 * Who a message may notify.
 *
 * @see https://discord.com/developers/docs/resources/message#allowed-mentions-object
 */
export const allowedMentions = z
  .object({
    parse: optional(list(choice([User, Role, Everyone]))),
    users: optional(list(id, { max: MAX_IDS })),
    roles: optional(list(id, { max: MAX_IDS })),
    replied_user: optional(flag),
  })
  .superRefine(({ parse = [], users = [], roles = [] }, context) => {
    for (const [type, ids] of [[User, users] as const, [Role, roles] as const]) {
      if (!parse.includes(type) || ids.length === 0) continue;
      const message = `parse:["${type}"] and ${type}: [ids...] are mutually exclusive.`;
      context.addIssue({ code: 'custom', message, params: { code: 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE' } });
    }
  })
  .transform((fields) => withoutUndefined(fields) as APIAllowedMentions);
