import { type Role, tokenOf } from '@guild-settings/sandbox/world';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The settings page in a browser, by what people see of it. */
export class SettingsPage {
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

  /** Resolves when a text is shown. */
  async shows(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  async saved(): Promise<void> {
    await this.save.click();
    await this.shows(/Live on this server after \d+ ms/);
  }
}

/** Calls the service as another program of a person would. */
export async function callApi(
  apiUrl: string,
  role: Role,
  {
    method = 'GET',
    path,
    body,
    headers,
  }: { method?: string; path: string; body?: object; headers?: Record<string, string> },
): Promise<Response> {
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tokenOf(role)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  return response;
}
