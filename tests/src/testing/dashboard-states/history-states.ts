import type { Page } from 'playwright-core';
import { cut, each, FIRST, hold, PHONE, refuse, SECOND, type Stage, type States } from './stage.ts';

const PATH = `/guilds/${FIRST.id}/history`;

/** The changes that the states of the history are about. */
interface Made {
  /** Undone by `undo`. */
  readonly both: number;
  readonly features: number;
  readonly channel: number;
}

async function makeChanges(stage: Stage): Promise<Made> {
  await stage.change(FIRST, { prefix: '!', language: 'en-US', beta: false, enabledFeatures: [] });
  const both = await stage.change(FIRST, { prefix: '?', language: 'ja' }, 'manager');
  const features = await stage.change(FIRST, { enabledFeatures: ['reminders', 'polls'] });
  await stage.change(FIRST, { prefix: '#', announcement_channel: FIRST.channels.announcements }, 'manager');
  const channel = await stage.change(FIRST, { announcement_channel: '' }, 'manager');
  return { both, features, channel };
}

async function open(stage: Stage): Promise<{ readonly page: Page; readonly made: Made }> {
  const made = await makeChanges(stage);
  const page = await stage.open('manager', PATH);
  // A state before it may have left the page wider.
  await page.setViewportSize(PHONE);
  await page.locator(`[data-revision="${made.channel}"]`).waitFor();
  return { page, made };
}

/** The reasons for which the service may refuse an undo. */
const REFUSALS = [
  ['the change is not on record any more', { slug: 'revision-unknown', status: 404 }],
  ['the log is full', { slug: 'change-log-full', status: 409 }],
  ['not confirmed', { slug: 'write-unconfirmed', status: 503 }],
] as const;

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
/** Opens the actions of a change, which a phone has below a button, and presses one. */
async function act(page: Page, action: 'Undo' | 'Restore', revision: number): Promise<void> {
  await press(page, `More for change #${revision}`);
  await press(page, new RegExp(`^${action} .*#${revision}$`));
}

const table = (page: Page) => page.getByRole('dialog').getByRole('table').waitFor();

/** The history of a guild, its changes, undo and restore. */
export const HISTORY_STATES: States = {
  'history, loading': async (stage) => {
    await hold(await stage.page('manager'), 'guilds.history');
    const page = await stage.open('manager', PATH);
    await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
  },
  history: async (stage) => {
    const { page, made } = await open(stage);
    await act(page, 'Undo', made.channel);
    await table(page);
    await page.getByRole('dialog').getByLabel('Reason (optional)').fill('a mistake');
    await press(page, 'Undo the change');
    await page.getByText('Undone by change').first().waitFor();
  },
  'history, empty': {
    async reach(stage) {
      // The bot would report the guild again.
      await stage.world.killBot();
      await stage.erase(SECOND);
      const page = await stage.open('manager', `/guilds/${SECOND.id}/history`);
      await page.getByRole('heading', { name: 'No changes yet' }).waitFor();
    },
    leave: (stage) => stage.world.startBot(),
  },
  'history, actions and details of a change': async (stage) => {
    const { page, made } = await open(stage);
    const both = page.locator(`[data-revision="${made.both}"]`);
    await both.getByText('Details').click();
    await both.getByRole('table').waitFor();
    await press(page, `More for change #${made.both}`);
    await page.getByRole('button', { name: `Undo change #${made.both}` }).waitFor();
  },
  'history, no change matches': async (stage) => {
    await stage.erase(FIRST);
    await stage.change(FIRST, { prefix: '?' });
    const page = await stage.open('manager', `${PATH}?field=beta`);
    await page.getByRole('heading', { name: 'No change matches' }).waitFor();
  },
  'history, a new change': async (stage) => {
    const { page } = await open(stage);
    await page.getByText('Updates live').waitFor();
    await stage.change(FIRST, { prefix: '%' });
    await page.getByRole('button', { name: 'Show 1 new change' }).waitFor();
  },
  'history, erased': async (stage) => {
    const { page } = await open(stage);
    await page.getByText('Updates live').waitFor();
    await stage.erase(FIRST);
    await page.getByText('The settings and the history of this server were erased.').waitFor({ state: 'attached' });
  },
  'history, not live': async (stage) => {
    await cut(await stage.page('manager'), 'guilds.follow');
    const { page } = await open(stage);
    await page.getByText('Not live right now.').waitFor();
  },
  'history, service gone': async (stage) => {
    await refuse(await stage.page('manager'), 'guilds.history', { slug: 'store-unavailable', status: 503 });
    const page = await stage.open('manager', PATH);
    await page.getByRole('heading', { name: 'The service does not respond' }).waitFor();
  },
  'history, question before an undo': async (stage) => {
    const { page, made } = await open(stage);
    await act(page, 'Undo', made.features);
    await table(page);
    await page.getByLabel('Reason (optional)').fill('x'.repeat(513));
    await page.getByText('At most 512 characters').waitFor();
  },
  'history, undo refused because of later changes': async (stage) => {
    const { page, made } = await open(stage);
    await act(page, 'Undo', made.both);
    await page.getByRole('dialog').getByRole('alert').waitFor();
  },
  ...each(REFUSALS, ([name, refusal]) => [
    `history, undo refused, ${name}`,
    async (stage) => {
      const { page, made } = await open(stage);
      await refuse(page, 'guilds.undo', refusal);
      await act(page, 'Undo', made.features);
      await page.getByRole('dialog').getByRole('alert').waitFor();
    },
  ]),
  'history, restored': async (stage) => {
    const { page, made } = await open(stage);
    await act(page, 'Restore', made.features);
    await table(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText(`The settings are as they were after change #${made.features}.`).first().waitFor();
  },
  'history, question before a restore': async (stage) => {
    const { page, made } = await open(stage);
    await act(page, 'Restore', made.both);
    await table(page);
  },
  'history, nothing to restore': async (stage) => {
    const { page, made } = await open(stage);
    // The state equals that after the newest change.
    await stage.change(FIRST, { beta: true });
    await stage.change(FIRST, { beta: false });
    await press(page, 'Show 2 new changes');
    await act(page, 'Restore', made.channel);
    await page.getByText('There is nothing to restore.').waitFor();
  },
  'history, undo failed': async (stage) => {
    const { page, made } = await open(stage);
    await cut(page, 'guilds.undo');
    await act(page, 'Undo', made.features);
    await page.getByRole('dialog').getByRole('alert').waitFor();
  },
  'history, a date to go back to': async (stage) => {
    const page = await stage.open('manager', PATH);
    await press(page, 'Go back to a date');
    await page.getByLabel('Date and time').fill('2020-01-01T10:00');
    await press(page, 'Show the difference');
    await page.getByText('The history starts later than that.').waitFor();
  },
  'history, a date in the future': async (stage) => {
    const page = await stage.open('manager', PATH);
    await press(page, 'Go back to a date');
    await page.getByLabel('Date and time').fill('2220-01-01T10:00');
    await page.getByText('Enter a date and time in the past.').waitFor();
  },
  change: async (stage) => {
    const { both } = await makeChanges(stage);
    const page = await stage.open('manager', `${PATH}/${both}`);
    await page.getByRole('button', { name: 'Undo' }).waitFor();
  },
  ...each(['trpc', 'bot'] as const, (origin) => [
    `change of features, by the way "${origin}"`,
    async (stage) => {
      const { features } = await makeChanges(stage);
      const page = await stage.page('manager');
      // As if it had been made there.
      await page.route('**/trpc/guilds.change*', async (route) => {
        const response = await route.fetch();
        const { result } = await response.json();
        await route.fulfill({ response, json: { result: { data: { ...result.data, origin } } } });
      });
      await stage.open('manager', `${PATH}/${features}`);
      await page.getByText('Added:').waitFor();
    },
  ]),
  'change, service gone': async (stage) => {
    const { both } = await makeChanges(stage);
    await refuse(await stage.page('manager'), 'guilds.change', { slug: 'store-unavailable', status: 503 });
    const page = await stage.open('manager', `${PATH}/${both}`);
    await page.getByRole('heading', { name: 'The service does not respond' }).waitFor();
  },
  'change that is not on record': async (stage) => {
    const page = await stage.open('manager', `${PATH}/999999`);
    await page.getByRole('heading', { name: 'This change is not on record' }).waitFor();
  },
};
