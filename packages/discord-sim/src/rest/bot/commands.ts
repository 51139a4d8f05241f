import {
  type APIApplicationCommand,
  ApplicationCommandType,
  type RESTGetAPIApplicationCommandsResult,
  type RESTPutAPIApplicationCommandsResult,
  type Snowflake,
} from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { World } from '../../world/world.ts';
import { invalidField, missingAccess } from '../error-body.ts';
import { joinedGuild } from './access.ts';
import { requireBot } from './bot-authorization.ts';
import { checkCommand } from './command-rules.ts';

const MAX_COMMANDS = 100;

/** The fields of a command that a bot sends; Discord adds the others. */
type CommandBody = Omit<APIApplicationCommand, 'id' | 'application_id' | 'guild_id' | 'version' | 'type'>;

interface Scoped {
  Params: { applicationId: Snowflake; guildId?: Snowflake };
  Querystring: { with_localizations?: string };
}

/**
 * Registers the routes to read and overwrite an application's commands, global or of one guild. Chat commands only.
 *
 * @see https://discord.com/developers/docs/interactions/application-commands#bulk-overwrite-global-application-commands
 */
export function commands(api: FastifyInstance, world: World): void {
  for (const path of [
    '/applications/:applicationId/commands',
    '/applications/:applicationId/guilds/:guildId/commands',
  ]) {
    api.get<Scoped>(path, async (request) => {
      const { applicationId, guildId } = scopeOf(world, request);
      const listed = world.commands.list(applicationId, guildId);
      const localised = request.query.with_localizations === 'true';
      return (localised ? [...listed] : listed.map(withoutLocalisations)) satisfies RESTGetAPIApplicationCommandsResult;
    });

    api.put<Scoped>(path, async (request) => {
      const { applicationId, guildId } = scopeOf(world, request);
      const bodies = commandBodies(request.body);
      const before = new Map(world.commands.list(applicationId, guildId).map(({ name, id }) => [name, id]));
      const registered = bodies.map((body): APIApplicationCommand => {
        const id = before.get(body.name) ?? world.ids.next();
        return registeredCommand(body, { id, applicationId, guildId, version: world.ids.next() });
      });
      world.commands.replace(applicationId, guildId, registered);
      return registered satisfies RESTPutAPIApplicationCommandsResult;
    });
  }
}

function scopeOf(world: World, request: FastifyRequest<Scoped>) {
  const bot = requireBot(request, world);
  const { applicationId, guildId = null } = request.params;
  if (applicationId !== bot.applicationId) throw missingAccess();
  if (guildId !== null) joinedGuild(world, bot, guildId);
  return { applicationId, guildId };
}

function commandBodies(body: unknown): CommandBody[] {
  if (!Array.isArray(body) || body.length > MAX_COMMANDS) {
    throw invalidField('_', 'BASE_TYPE_MAX_LENGTH', `Must be a list of ${MAX_COMMANDS} or fewer commands.`);
  }
  for (const [index, command] of body.entries()) checkCommand(command, String(index));
  if (new Set(body.map(({ name }) => name)).size < body.length) {
    throw invalidField('_', 'APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique');
  }
  return body;
}

interface Registration {
  readonly id: Snowflake;
  readonly applicationId: Snowflake;
  readonly guildId: Snowflake | null;
  readonly version: Snowflake;
}

function registeredCommand(
  body: CommandBody,
  { id, applicationId, guildId, version }: Registration,
): APIApplicationCommand {
  return {
    ...body,
    id,
    application_id: applicationId,
    ...(guildId !== null && { guild_id: guildId }),
    version,
    type: ApplicationCommandType.ChatInput,
    default_member_permissions: body.default_member_permissions ?? null,
  };
}

function withoutLocalisations(command: APIApplicationCommand): APIApplicationCommand {
  const { name_localizations: _names, description_localizations: _descriptions, ...plain } = command;
  return plain;
}
