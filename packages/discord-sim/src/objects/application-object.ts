import type { APIApplication, ApplicationFlags } from 'discord-api-types/v10';
import type { Application } from '../world/entities.ts';

/**
 * Returns what everyone may know of an application.
 *
 * @see https://discord.com/developers/docs/resources/application#application-object
 */
export function applicationObject({ id, name, icon }: Application) {
  return {
    id,
    name,
    icon,
    description: '',
    type: null,
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: '0'.repeat(64),
    flags: 0 as ApplicationFlags,
    flags_new: '0',
  } satisfies Partial<APIApplication> & { type: null };
}
