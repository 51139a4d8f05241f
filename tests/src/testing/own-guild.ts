import { BOT_PERMISSIONS, type HistoryPage, type ManagedGuildSummary, revisionOf } from '@guild-settings/contract';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { APPLICATION, BOT, MANAGE_GUILD, SEND_MESSAGES, VIEW_CHANNEL } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { callApi, type ProgramRequest } from './call-api.ts';

/** A user of the simulated Discord, with an access token of another program than the dashboard. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly token: string;
}

export const PERMISSIONS = { member: SEND_MESSAGES, manager: SEND_MESSAGES | MANAGE_GUILD } as const;

const DISCORD_EPOCH_MS = 1_420_070_400_000;
let created = 0n;

function newSnowflake(): string {
  created += 1n;
  return String((BigInt(Date.now() - DISCORD_EPOCH_MS) << 22n) + created);
}

export function addPerson({ world }: DiscordSim, name: string): Person {
  const id = newSnowflake();
  world.addUser({ id, username: name.toLowerCase(), globalName: name });
  const token = `token-of-${id}`;
  // A logout from the dashboard revokes all tokens of the consent, but not this one.
  const consent = { applicationId: APPLICATION.id, isStandalone: true, expiresInSeconds: 10_000_000 };
  world.issueUserToken({ ...consent, userId: id, token, scopes: ['identify', 'guilds'] });
  return { id, name, token };
}

/** Adds a guild without the bot. Returns its id. */
export function addBareGuild(
  { world }: DiscordSim,
  { name, owner }: { readonly name: string; readonly owner: Person },
) {
  const id = newSnowflake();
  world.addGuild({ id, name, ownerId: owner.id });
  return { id };
}

interface OwnGuildOptions {
  readonly discord: DiscordSim;
  readonly apiUrl: string;
  readonly name: string;
  /** A new person unless given. */
  readonly owner?: Person | undefined;
}

/** A guild for a single test, with the bot, an owner and a manager. */
export class OwnGuild {
  readonly id = newSnowflake();
  readonly name: string;
  /** The path of its record in the service, and of its settings in the dashboard. */
  readonly path = `/guilds/${this.id}`;
  readonly owner: Person;
  readonly manager: Person;
  /** Ids of the channels. The bot may not write in `rules` and its threads; `staff` is hidden from the manager. */
  readonly channels = {
    announcements: newSnowflake(),
    rules: newSnowflake(),
    staff: newSnowflake(),
  };
  readonly #discord: DiscordSim;
  readonly #apiUrl: string;

  private constructor({ discord, apiUrl, name, owner }: OwnGuildOptions) {
    this.#discord = discord;
    this.#apiUrl = apiUrl;
    this.name = name;
    this.owner = owner ?? addPerson(discord, 'Ольга');
    this.manager = addPerson(discord, 'Mika');
  }

  /** Adds a guild, and waits until the bot has reported it. */
  static async add(options: OwnGuildOptions): Promise<OwnGuild> {
    const guild = new OwnGuild(options);
    guild.#join();
    await waitUntil(() => guild.#hasBot(), { message: `the bot to be in ${guild.name}` });
    return guild;
  }

  addThread(parentId: string, name: string): string {
    const id = newSnowflake();
    this.#discord.world.addChannel({ id, guildId: this.id, name, type: 'thread', parentId });
    return id;
  }

  setManagerPermissions(permissions: bigint): void {
    this.#discord.world.setPermissions(this.id, this.manager.id, permissions);
  }

  /** Calls the service as another program of a person. Expects success. */
  call(by: Person, request: ProgramRequest): Promise<Response> {
    return callApi(this.#apiUrl, by, request);
  }

  /** Changes settings. Returns the revision. */
  async change(by: Person, patch: object, reason = 'a reason'): Promise<number> {
    const headers = { 'x-audit-log-reason': encodeURIComponent(reason) };
    const response = await this.call(by, { method: 'PATCH', path: this.path, body: patch, headers });
    return revisionOf(response.headers.get('etag') ?? '') ?? Number.NaN;
  }

  async erase(): Promise<void> {
    await this.call(this.owner, { method: 'DELETE', path: this.path, headers: { 'if-match': '*' } });
  }

  async record(): Promise<Record<string, unknown>> {
    const response = await this.call(this.owner, { path: this.path });
    return (await response.json()) as Record<string, unknown>;
  }

  /** The changes of settings, newest first. */
  async entries(): Promise<HistoryPage['entries']> {
    const response = await this.call(this.owner, { path: `${this.path}/history?kind=settings` });
    return ((await response.json()) as HistoryPage).entries;
  }

  async #hasBot(): Promise<boolean> {
    const response = await this.call(this.owner, { path: '/users/@me/guilds' });
    const guilds = (await response.json()) as readonly ManagedGuildSummary[];
    return guilds.some(({ id, botPresent }) => id === this.id && botPresent);
  }

  #join(): void {
    const { world } = this.#discord;
    const { id, name, owner, manager, channels } = this;
    world.addGuild({ id, name, ownerId: owner.id });
    world.addMember(id, manager.id, { permissions: PERMISSIONS.manager });
    world.addChannel({ id: channels.announcements, guildId: id, name: 'announcements', type: 'announcement' });
    const readOnly = { [BOT.userId]: { deny: SEND_MESSAGES | BOT_PERMISSIONS.SEND_MESSAGES_IN_THREADS } };
    world.addChannel({ id: channels.rules, guildId: id, name: 'rules', position: 1, permissions: readOnly });
    const hidden = {
      '@everyone': { deny: VIEW_CHANNEL },
      [BOT.userId]: { allow: VIEW_CHANNEL | SEND_MESSAGES },
    };
    world.addChannel({ id: channels.staff, guildId: id, name: 'staff', position: 2, permissions: hidden });
    world.addBotToGuild(id);
  }
}
