import type { Locator, Page } from 'playwright-core';
import type { DashboardWorld } from './dashboard-world.ts';
import type { OwnGuild, Person } from './own-guild.ts';

/** A phone with room for only a part of the settings. */
export const SMALL = { viewport: { width: 360, height: 640 } } as const;

/** The settings page in a browser, by its visible content. Closed at the end of its scope. */
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
    this.channel = page.getByRole('combobox', { name: 'Channel for announcements' });
    this.save = page.getByRole('button', { name: 'Save' });
    this.bar = page.locator('[data-save-bar]');
  }

  /** Logs a person in, opens the settings of a guild, and waits until changes by others arrive. */
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

  /** Opens a group that is a separate page; on a phone, through the button that opens their list. */
  async openGroup(name: string): Promise<void> {
    const list = this.page.getByRole('navigation', { name: 'Groups of settings' });
    const opener = list.getByRole('button', { name: 'Groups of settings' });
    if ((await opener.isVisible()) && (await opener.getAttribute('aria-expanded')) === 'false') await opener.click();
    await list.getByRole('link', { name }).click();
    await this.page.getByRole('region', { name }).waitFor();
  }

  /** Resets the settings of the displayed group that differ from their defaults. */
  async resetAll(): Promise<void> {
    const menus = this.page.locator('[data-field]').getByRole('button', { name: /^More for/ });
    for (let left = await menus.count(); left > 0; left -= 1) {
      await menus.first().click();
      await this.page.getByRole('button', { name: /^Reset to default/ }).click();
    }
  }

  feature(name: string): Locator {
    return this.page.getByRole('switch', { name });
  }

  /** Resolves when changes by others arrive. */
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
