export type { Call, CallFilter, CallLog } from './calls/call-log.ts';
export type { Clock } from './clock.ts';
export type { Fault, FaultScope } from './faults/fault.ts';
export type { FaultPlan } from './faults/fault-plan.ts';
export type { RateLimit } from './rest/rate-limit.ts';
export { type DiscordSim, type DiscordSimOptions, startDiscordSim } from './sim.ts';
export type { IssuedToken, IssuedUserToken } from './world/access-tokens.ts';
export type { Application, Guild, Membership, User } from './world/entities.ts';
export type { Scope } from './world/scopes.ts';
export type {
  GuildChange,
  NewApplication,
  NewAuthorizationCode,
  NewClientCredentialsToken,
  NewGuild,
  NewUser,
  NewUserToken,
  World,
} from './world/world.ts';
