import { type APIApplicationCommand, ApplicationIntegrationType, type Snowflake } from 'discord-api-types/v10';
import { withoutUndefined } from '../../form/fields.ts';
import type { CommandForm } from './command-form.ts';

/** What Discord adds to a command. */
interface Registration {
  readonly id: Snowflake;
  readonly applicationId: Snowflake;
  /** `null`: in all guilds. */
  readonly guildId: Snowflake | null;
  readonly version: Snowflake;
}

/** @see https://discord.com/developers/docs/interactions/application-commands#application-command-object */
export function commandObject(
  command: CommandForm,
  { id, applicationId, guildId, version }: Registration,
): APIApplicationCommand {
  const { default_member_permissions: permissions = null, description = '' } = command;
  const { contexts = null, integration_types: integrations = [ApplicationIntegrationType.GuildInstall] } = command;
  const object = {
    ...command,
    description,
    id,
    application_id: applicationId,
    ...(guildId !== null && { guild_id: guildId }),
    ...(guildId === null && { dm_permission: command.dm_permission ?? true }),
    contexts,
    integration_types: integrations,
    nsfw: command.nsfw ?? false,
    version,
    default_member_permissions: permissions,
  };
  // The form has been checked against the rules that the type's variants express.
  return withoutUndefined(object) as APIApplicationCommand;
}
