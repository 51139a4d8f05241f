import { DEFAULT_SETTINGS, revisionOf } from '@guild-settings/contract';
import { GUILDS, type PEOPLE, type SandboxGuild, tokenOf } from '@guild-settings/discord-sim/testing/world';
import type { Page, Route } from 'playwright-core';
import type { DashboardWorld } from './dashboard-world.ts';
import { PHONE } from './looks.ts';
import { SettingsPage } from './settings-page.ts';

/** The guilds of the sandbox that its manager manages, each with states that do not affect those of the others. */
export const [FIRST, SECOND, , FOREIGN] = GUILDS as readonly [SandboxGuild, SandboxGuild, SandboxGuild, SandboxGuild];

/**
 * Brings the last opened page of the stage into a state. Requests that it intercepts are passed on again after the
 * state.
 */
export type Reach = (stage: Stage) => Promise<unknown>;

type Role = keyof typeof PEOPLE;

/** A problem with which a request is answered instead of by the service. */
interface Refusal {
  readonly slug: string;
  readonly status: number;
  readonly fields?: object;
}

/** A world for the states, with one page per person. */
export class Stage implements AsyncDisposable {
  readonly world: DashboardWorld;
  readonly #people: typeof PEOPLE;
  readonly #pages = new Map<Role | 'visitor', Page>();
  #shown: Page | undefined;

  constructor(world: DashboardWorld, people: typeof PEOPLE) {
    this.world = world;
    this.#people = people;
  }

  /** The page of the person for whom one was last opened. */
  get shown(): Page {
    if (this.#shown === undefined) throw new Error('Expected a page, none was opened');
    return this.#shown;
  }

  /** Opens a path on the page of a person who is not logged in. */
  visit(path: string): Promise<Page> {
    return this.#open('visitor', path);
  }

  open(role: Role, path: string): Promise<Page> {
    return this.#open(role, path);
  }

  /** Returns the page of a person before a path is opened on it, to intercept requests. */
  async page(role: Role | 'visitor'): Promise<Page> {
    const open = () =>
      role === 'visitor' ? this.world.visit('/') : this.world.open(this.#people[role], '/', { viewport: PHONE });
    const known = this.#pages.get(role);
    if (known !== undefined) return known;
    const page = await open();
    // States do not share drafts and choices.
    await page.addInitScript('if (location.href !== "about:blank") { sessionStorage.clear(); localStorage.clear(); }');
    this.#pages.set(role, page);
    return page;
  }

  /** Releases the pages: pending requests end, and later ones are passed on. */
  async leave(): Promise<void> {
    for (const page of this.#pages.values()) {
      await endWaiting(page);
      if (page.url() !== 'about:blank') await page.goto('about:blank');
      await page.unrouteAll();
    }
  }

  /** Drops a page whose session was ended. */
  async close(role: Role | 'visitor'): Promise<void> {
    await this.#pages.get(role)?.context().close();
    this.#pages.delete(role);
  }

  /** Changes a guild over REST. Returns the revision. */
  async change(guild: SandboxGuild, settings: object, role: 'owner' | 'manager' = 'owner'): Promise<number> {
    const headers = { 'content-type': 'application/json', 'x-audit-log-reason': 'requested by the team' };
    const response = await this.#call(guild, role, { method: 'PATCH', headers, body: JSON.stringify(settings) });
    return revisionOf(response.headers.get('etag') ?? '') ?? Number.NaN;
  }

  async erase(guild: SandboxGuild): Promise<void> {
    await this.#call(guild, 'owner', { method: 'DELETE', headers: { 'if-match': '*' } });
  }

  async #call(guild: SandboxGuild, role: 'owner' | 'manager', { headers, ...init }: RequestInit): Promise<Response> {
    const response = await fetch(`${this.world.url}/guilds/${guild.id}`, {
      ...init,
      headers: { ...headers, authorization: `Bearer ${tokenOf(role)}` },
    });
    if (!response.ok) throw new Error(`Expected a success, received ${response.status} ${await response.text()}`);
    return response;
  }

  async #open(role: Role | 'visitor', path: string): Promise<Page> {
    const page = await this.page(role);
    await page.goto(`${this.world.url}${path}`);
    this.#shown = page;
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const role of [...this.#pages.keys()]) await this.close(role);
  }
}

export const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

const pathOf = (call: string) => (call.startsWith('/') ? `**${call}` : `**/trpc/${call}*`);

/** Requests without an answer. One that is pending when its route is removed would reach the service. */
const waiting = new WeakMap<Page, Route[]>();

function keepWaiting(page: Page, route: Route): void {
  waiting.set(page, [...(waiting.get(page) ?? []), route]);
}

async function endWaiting(page: Page): Promise<void> {
  const routes = waiting.get(page) ?? [];
  waiting.delete(page);
  // Some were cancelled by the page.
  await Promise.all(routes.map((route) => route.abort().catch(() => {})));
}

/**
 * Leaves calls without an answer, so that the page keeps waiting. Documents, one of which has the URL of a call, are
 * sent.
 */
export async function hold(page: Page, ...calls: readonly string[]): Promise<void> {
  const handle = (route: Route) =>
    route.request().isNavigationRequest() ? route.continue() : keepWaiting(page, route);
  for (const call of calls) await page.route(pathOf(call), handle);
}

export async function cut(page: Page, ...calls: readonly string[]): Promise<void> {
  for (const call of calls) await page.route(pathOf(call), (route) => route.abort());
}

/** Answers calls with a problem, like the service. */
export async function refuse(page: Page, call: string, { slug, status, fields }: Refusal): Promise<void> {
  const problem = { type: `/problems/${slug}`, status, title: slug, ...fields };
  const error = { message: '', code: -32_000, data: { httpStatus: status, problem } };
  await page.route(pathOf(call), (route: Route) => route.fulfill({ status, json: { error } }));
}

/** Opens the settings of a guild with its default values, and with others. */
export async function openSettings(stage: Stage, values: object = {}): Promise<SettingsPage> {
  await stage.change(FIRST, { ...DEFAULT_SETTINGS, ...values });
  const settings = new SettingsPage(await stage.open('manager', `/guilds/${FIRST.id}`));
  await settings.prefix.waitFor();
  return settings;
}

/** Opens the settings, and waits until changes by others arrive. */
export async function openLive(stage: Stage, values: object = {}): Promise<SettingsPage> {
  const settings = await openSettings(stage, values);
  await settings.live();
  return settings;
}

/** Opens the settings without the event stream, which would later add what the response of a save lacks. */
export async function openDeaf(stage: Stage): Promise<SettingsPage> {
  await hold(await stage.page('manager'), 'guilds.follow');
  return openSettings(stage);
}
