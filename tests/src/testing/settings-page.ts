import type { Locator, Page } from 'playwright-core';
import type { DashboardWorld } from './dashboard-world.ts';
import type { OwnGuild, Person } from './own-guild.ts';

/** A phone with room for a part of the settings alone. */
export const SMALL = { viewport: { width: 360, height: 640 } } as const;

/** The settings page in a browser, by what people see of it. Closed at the end of its scope. */
export class SettingsPage implements AsyncDisposable {
  readonly page: Page;
  readonly prefix: Locator;
  readonly language: Locator;
  readonly beta: Locator;
  readonly channel: Locator;
  readonly save: Locator;
  readonly bar: Locator;

  constructor(page: Page) {
    this.page = page;
    this.prefix = page.getByLabel('Prefix', { exact: true });
    this.language = page.locator('[data-field=language] select');
    this.beta = page.getByRole('switch', { name: 'Beta features' });
    this.channel = page.getByRole('combobox', { name: 'Announcement channel' });
    this.save = page.getByRole('button', { name: 'Save' });
    this.bar = page.locator('[data-save-bar]');
  }

  /** Logs a person in, opens the settings of a guild, and waits until changes of others arrive. */
  static async open(world: DashboardWorld, { path }: OwnGuild, person: Person, options = {}): Promise<SettingsPage> {
    const settings = new SettingsPage(await world.open(person, path, options));
    await settings.live();
    return settings;
  }

  async anotherTab(): Promise<SettingsPage> {
    const tab = new SettingsPage(await this.page.context().newPage());
    await tab.page.goto(this.page.url());
    await tab.live();
    return tab;
  }

  /** Opens the list of channels, which is loaded when its field gets the focus. */
  async openChannels(): Promise<void> {
    await this.channel.focus();
    await this.page.getByRole('option').first().waitFor();
  }

  feature(name: string): Locator {
    return this.page.getByRole('switch', { name });
  }

  /** Resolves when changes of others arrive. */
  async live(): Promise<void> {
    await this.page.locator('[data-live=live]').waitFor();
  }

  async shows(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  async saved(): Promise<void> {
    await this.save.click();
    await this.shows(/Live on this server after \d+ ms/);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.page[Symbol.asyncDispose]();
  }
}
