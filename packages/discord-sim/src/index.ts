export type { Call, CallFilter, CallLog } from './call-log.ts';
export type { Fault, FaultPlan, FaultScope } from './faults.ts';
export type { Gateway, GatewayOptions, GatewaySession } from './gateway/gateway.ts';
export { localHostsOnly } from './local-access.ts';
export type { MessageReader, MessageWait, SlashHandle } from './people/message-reader.ts';
export type { ModalValues } from './people/modal-form.ts';
export type { People, SlashUse } from './people/people.ts';
export type { SlashValues } from './people/slash-options.ts';
export type { RateLimit } from './rest/rate-limit.ts';
export { type DiscordSim, type DiscordSimOptions, startDiscordSim } from './sim.ts';
export { isRegistrableUri } from './world/accounts.ts';
export type {
  Application,
  Bot,
  BotInvitation,
  Channel,
  ChannelKind,
  CommandTarget,
  Emoji,
  Guild,
  GuildChange,
  Member,
  Membership,
  Message,
  NewApplication,
  NewAuthorizationCode,
  NewBot,
  NewChannel,
  NewClientCredentialsToken,
  NewEmoji,
  NewGuild,
  NewRole,
  NewUser,
  NewUserToken,
  Overwrite,
  Overwrites,
  Role,
  User,
} from './world/entities.ts';
export type { Clock } from './world/snowflake.ts';
export type { IssuedToken, IssuedUserToken, Scope } from './world/tokens.ts';
export type { World } from './world/world.ts';
