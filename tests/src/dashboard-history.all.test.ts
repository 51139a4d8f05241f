import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { ARRIVAL, loseResponse } from './testing/dashboard-pages.ts';
import { type DashboardWorld, test } from './testing/dashboard-world.ts';
import type { OwnGuild } from './testing/own-guild.ts';
import { refuse } from './testing/stage.ts';

const entry = (page: Page, revision: number) => page.locator(`[data-revision="${revision}"]`);
const sentences = (page: Page) => page.locator('[data-revision] > div > p:first-child').allTextContents();

describe.skipIf(!HAS_BROWSER).concurrent('the history', () => {
  let world: DashboardWorld;
  test.beforeAll(({ world: shared }) => {
    world = shared;
  });

  const open = (guild: OwnGuild, path = '') => world.open(guild.manager, `${guild.path}/history${path}`);

  test('says who changed what, why and how, and shows the difference that a sentence does not say', async () => {
    const guild = await world.addGuild('Who and why');
    const both = await guild.change(guild.manager, { prefix: '?', language: 'ja' }, 'requested by the team');
    const one = await guild.change(guild.owner, { enabledFeatures: ['reminders', 'polls'] });
    await using page = await open(guild);
    // Names of people and features are requested after the changes.
    await entry(page, one).getByText(guild.owner.name).waitFor();
    await entry(page, one).getByText('Reminders', { exact: true }).waitFor();
    expect(await sentences(page)).toStrictEqual([
      `${guild.owner.name} enabled Reminders and polls`,
      'Mika (you) changed the prefix and the language',
      'The bot was added to this server',
    ]);
    expect(await entry(page, both).getByRole('table').isVisible()).toBe(false);
    await entry(page, both).getByText('Details').click();
    expect(await entry(page, both).getByRole('row').allInnerTexts()).toStrictEqual([
      'Setting\tBefore\tAfter',
      'Prefix\t!\t?',
      'Language\tEnglish\tJapanese',
    ]);
    expect(await entry(page, both).textContent()).toContain('Reason: requested by the team');
    expect(await entry(page, both).textContent()).toContain('API');
    // An entry whose sentence contains the complete difference has no details, including the hash of the server's icon.
    expect(await page.getByText('Details').count()).toBe(1);
    await guild.change(guild.manager, { announcement_channel: guild.channels.announcements });
    await page.getByRole('button', { name: 'Show 1 new change' }).click();
    await page.getByText('Mika (you) chose #announcements for announcements').waitFor();
  });

  test('authors have their names, after one request for a page of the history, and nothing keeps them', async () => {
    const guild = await world.addGuild('Names of authors');
    await guild.change(guild.manager, { beta: true });
    await guild.change(guild.owner, { beta: false });
    await using page = await open(guild);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.reload();
    const { name, id } = guild.owner;
    await page.getByText(`${name} switched beta features off`).waitFor();
    await page.getByLabel('Who').selectOption(name);
    await page.waitForURL(`**/history?by=${id}`);
    await page.getByText('switched beta features on').waitFor({ state: 'hidden' });
    await page.getByText(`${name} switched beta features off`).waitFor();
    expect(requests.filter((url) => url.includes('/guilds.members'))).toHaveLength(1);
    const kept = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
    expect(kept).not.toContain(name);
    // Another person can be chosen, even if the page was opened with one.
    await page.getByLabel('Who').selectOption('Mika (you)');
    await page.waitForURL(`**/history?by=${guild.manager.id}`);
    await page.reload();
    await page.getByText('switched beta features on').waitFor();
    await page.getByLabel('Who').selectOption(name);
    await page.waitForURL(`**/history?by=${id}`);
  });

  test('a filter moves nothing but the changes, and the focus stays in the filters when it goes', async () => {
    const guild = await world.addGuild('Quiet filter');
    await guild.change(guild.manager, { beta: true });
    await using page = await open(guild);
    const places = () =>
      Promise.all(
        [page.getByLabel('Who'), page.getByRole('button', { name: 'Restore to a date' })].map((part) =>
          part.boundingBox(),
        ),
      );
    await page.getByText('Updates in real time').waitFor();
    const before = await places();
    await page.getByLabel('What').selectOption('Prefix');
    const clear = page.getByRole('button', { name: 'Show all changes' });
    await clear.waitFor();
    expect(await places()).toStrictEqual(before);
    await clear.press('Enter');
    await page.getByText('switched beta features on').waitFor();
    expect(await places()).toStrictEqual(before);
    await page.getByLabel('What').and(page.locator(':focus')).waitFor();
  });

  test('an undo names the later changes that are in its way, and undoes them first', async () => {
    const guild = await world.addGuild('Later changes');
    const first = await guild.change(guild.manager, { prefix: '?' });
    const later = await guild.change(guild.owner, { prefix: '#' });
    await using page = await open(guild);
    await page.getByRole('button', { name: `Undo change #${first}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`Prefix: ? → # (#${later}, ${guild.owner.name}`).waitFor();
    await dialog.getByRole('button', { name: `Undo change #${later} first` }).click();
    await dialog.getByRole('cell', { name: '?' }).waitFor();
    await dialog.getByLabel('Reason (optional)').fill('was a mistake');
    await dialog.getByRole('button', { name: 'Undo the change' }).click();
    await page.getByText(`Mika (you) undid change #${later}`).waitFor();
    const told = new RegExp(`^Change #${later} was undone\\. ${ARRIVAL}$`);
    await page.getByText(told).first().waitFor();
    const [{ revision: undone } = { revision: 0 }] = await guild.entries();
    expect(await entry(page, later).textContent()).toContain(`Undone by change #${undone}`);
    expect(await entry(page, undone).textContent()).toContain('Reason: was a mistake');
  });

  test.each([
    ['a tab that was pasted', 'from a\ttable'],
    ['a half of an emoji', 'cut \ud83d off'],
  ])('a reason with %s is refused at its field, and sent when it is corrected', async (_, reason) => {
    const guild = await world.addGuild('Reason');
    const made = await guild.change(guild.manager, { prefix: '?' });
    await using page = await open(guild);
    await page.getByRole('button', { name: `Undo change #${made}` }).click();
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel('Reason (optional)');
    const undo = dialog.getByRole('button', { name: 'Undo the change' });
    // Playwright cannot send half of an emoji as a character, but as an escape sequence in JSON.
    const insert = `(() => {
      document.querySelector('dialog input').focus();
      return document.execCommand('insertText', false, ${JSON.stringify(reason)});
    })()`;
    await field.waitFor();
    await expect.poll(() => page.evaluate<boolean>(insert)).toBe(true);
    await dialog.getByText('No invisible control characters').waitFor();
    expect(await undo.isDisabled()).toBe(true);
    await field.fill('corrected');
    await undo.click();
    await page.getByText('Reason: corrected').waitFor();
  });

  test('what has changed since the difference was shown is shown before anything is undone', async () => {
    const guild = await world.addGuild('Preview');
    const first = await guild.change(guild.manager, { beta: true });
    await using page = await open(guild);
    await page.getByRole('button', { name: `Undo change #${first}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('table').waitFor();
    await guild.change(guild.owner, { language: 'hi' });
    await dialog.getByRole('button', { name: 'Undo the change' }).click();
    await dialog.getByText('Nothing has been done yet').waitFor();
    await dialog.getByRole('button', { name: 'Undo the change' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText(`undid change #${first}`).waitFor();
  });

  test.each([
    ['undo', 'Undo the change', (n: number) => `Change #${n} was undone.`],
    ['restore', 'Restore', (n: number) => `The settings are as they were after change #${n}.`],
  ])('where the response to the %s is lost, the page says that it was made', async (kind, button, done) => {
    const guild = await world.addGuild('Lost response');
    const point = await guild.change(guild.manager, { prefix: '?' });
    if (kind === 'restore') await guild.change(guild.owner, { prefix: '#' });
    await using page = await open(guild, kind === 'restore' ? `/${point}` : '');
    await page.getByRole('button', { name: kind === 'undo' ? `Undo change #${point}` : 'Restore this state' }).click();
    await page.route(`**/trpc/guilds.${kind}*`, async (route) => {
      if (route.request().postData()?.includes('dry_run')) return route.continue();
      await loseResponse(route);
    });
    await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByText(done(point)).first().waitFor();
    expect(await guild.record()).toMatchObject({ prefix: kind === 'undo' ? '!' : '?' });
  });

  test('an undo that was made although the service could not confirm it is shown as made', async () => {
    const guild = await world.addGuild('Not confirmed');
    const made = await guild.change(guild.manager, { prefix: '?' });
    await using page = await open(guild);
    await page.getByRole('button', { name: `Undo change #${made}` }).click();
    await page.getByRole('dialog').getByRole('table').waitFor();
    await refuse(page, 'guilds.undo', { slug: 'write-unconfirmed', status: 503 });
    await page.route('**/trpc/guilds.undo*', async (route) => {
      await route.fetch();
      await route.fallback();
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the change' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.getByText(`Change #${made} was undone.`).first().waitFor();
  });

  test('a change that is made meanwhile is offered, and moves nothing until it is wanted', async () => {
    const guild = await world.addGuild('Meanwhile');
    const shown = await guild.change(guild.manager, { prefix: '?' });
    await using page = await open(guild);
    await page.getByText('Updates in real time').waitFor();
    const before = await entry(page, shown).boundingBox();
    const made = await guild.change(guild.owner, { prefix: '%' });
    const offer = page.getByRole('button', { name: 'Show 1 new change' });
    await offer.waitFor();
    expect(await entry(page, shown).boundingBox()).toStrictEqual(before);
    expect(await page.getByRole('status').allTextContents()).toContain('Show 1 new change');
    await offer.press('Enter');
    await entry(page, made).waitFor();
    await page.locator(':focus').getByText('Updates in real time').waitFor();
  });

  test('filters are in the address, and older changes are loaded when they are wanted', async () => {
    const guild = await world.addGuild('Filters');
    for (let n = 0; n < 30; n += 1) await guild.change(guild.manager, { prefix: `${n}` });
    await guild.change(guild.manager, { beta: true });
    await using page = await open(guild);
    await page.getByLabel('What').selectOption('Prefix');
    await page.getByLabel('Who').selectOption('Mika (you)');
    await page.waitForURL(`**/history?field=prefix&by=${guild.manager.id}`);
    await page.reload();
    await page.getByRole('button', { name: 'Load older changes' }).press('Enter');
    await page.locator(':focus').getByText('This is the oldest change on record.').waitFor();
    const found = await sentences(page);
    expect(found).toHaveLength(30);
    expect(found.every((sentence) => sentence.startsWith('Mika (you) changed the prefix from '))).toBe(true);
    await page.getByLabel('What').selectOption('Server icon');
    await page.getByRole('heading', { name: 'No change matches' }).waitFor();
    await page.getByRole('button', { name: 'Show all changes' }).click();
    await page.getByText('switched beta features on').waitFor();
  });

  test('an address of a change that is not on record says so', async () => {
    const guild = await world.addGuild('No such change');
    await using page = await open(guild, '/999999');
    await page.getByRole('heading', { name: 'This change is not on record' }).waitFor();
  });
});
