export type { Call, CallFilter, CallLog } from './calls/call-log.ts';
export type { Clock } from './clock.ts';
export type { Fault, FaultPlan, FaultScope } from './faults/fault-plan.ts';
export type { Gateway, GatewayOptions, GatewaySession } from './gateway/gateway.ts';
export { localHostsOnly } from './local-hosts.ts';
export type { MessageReader, MessageWait } from './people/message-reader.ts';
export type { ModalValues } from './people/modal-form.ts';
export type { People, SlashUse } from './people/people.ts';
export type { SlashHandle } from './people/slash-handle.ts';
export type { SlashValues } from './people/slash-options.ts';
export type { RateLimit } from './rest/rate-limit.ts';
export { type DiscordSim, type DiscordSimOptions, startDiscordSim } from './sim.ts';
export type { IssuedToken, IssuedUserToken } from './world/access-tokens.ts';
export type {
  Application,
  Bot,
  Channel,
  ChannelKind,
  Guild,
  Member,
  Membership,
  Message,
  Overwrite,
  Overwrites,
  Role,
  User,
} from './world/entities.ts';
export type {
  BotInvitation,
  CommandTarget,
  GuildChange,
  NewApplication,
  NewAuthorizationCode,
  NewBot,
  NewChannel,
  NewClientCredentialsToken,
  NewGuild,
  NewRole,
  NewUser,
  NewUserToken,
} from './world/new-entities.ts';
export { isRegistrableUri } from './world/redirect-uri.ts';
export type { Scope } from './world/scopes.ts';
export type { World } from './world/world.ts';
