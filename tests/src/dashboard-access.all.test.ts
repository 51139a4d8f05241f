import type { GuildAccessList } from '@guild-settings/contract';
import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { waitUntil } from '@guild-settings/testing';
import type { Page, Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { errorsOf } from './testing/dashboard-pages.ts';
import { type DashboardWorld, test } from './testing/dashboard-world.ts';
import { press, reach } from './testing/keyboard.ts';
import { expectNothingCutOff, violationsOf } from './testing/looks.ts';
import { addPerson, type OwnGuild, PERMISSIONS, type Person } from './testing/own-guild.ts';
import { SettingsPage, SMALL } from './testing/settings-page.ts';

type Entries = GuildAccessList['entries'];

describe.skipIf(!HAS_BROWSER).concurrent('the access list on the page', () => {
  let world: DashboardWorld;
  test.beforeAll(({ world: shared }) => {
    world = shared;
  });

  /** Adds a guild with a role, and a member without permissions. */
  const addGuild = async (name: string) => {
    const guild = await world.addGuild(name);
    const member = addPerson(world.discord, 'Ravi of the helpers');
    world.discord.world.addMember(guild.id, member.id, { permissions: PERMISSIONS.member });
    const role = { id: String(BigInt(guild.id) + 1n), name: 'Helpers' };
    world.discord.world.addRole({ guildId: guild.id, ...role });
    return { guild, member, role };
  };
  const openAccess = async (guild: OwnGuild, person: Person, options = {}) => {
    const page = await world.open(person, `${guild.path}/access`, options);
    await page.getByRole('heading', { level: 1, name: 'Access' }).waitFor();
    return page;
  };

  test('lets a role and a person in by the keyboard alone, changes a level, and removes, each with one save', async () => {
    const { guild, member, role } = await addGuild('Let in');
    await using page = await openAccess(guild, guild.manager, SMALL);
    const errors = errorsOf(page);
    const picked = async (typed: string, name: string) => {
      await reach(page, 'Add a role or a member');
      await page.keyboard.type(typed);
      await page.getByRole('option', { name }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    };
    await page.getByText('Nobody else.').waitFor();
    await picked('help', '@Helpers');
    await picked('ravi', member.name);
    await reach(page, 'Level of @Helpers');
    await page.keyboard.press('ArrowDown');
    await press(page, 'Save');
    await page.getByText('Saved. It applies').first().waitFor();
    expect(await entriesOf(guild)).toEqual([
      { subject: `role:${role.id}`, level: 'editor' },
      { subject: `user:${member.id}`, level: 'viewer' },
    ]);
    expect(await rowsOf(page)).toEqual(['@Helpers', member.name]);
    await reach(page, `Level of ${member.name}`);
    await page.keyboard.press('ArrowDown');
    await press(page, 'Remove @Helpers');
    await press(page, 'Save');
    await waitUntil(async () => (await entriesOf(guild)).length === 1, { message: 'the role to be removed' });
    expect(await entriesOf(guild)).toEqual([{ subject: `user:${member.id}`, level: 'editor' }]);
    expect(errors).toStrictEqual([]);
  });

  test('a person who was let in edits, has no control any more as a viewer, and is told when they are removed', async () => {
    const { guild, member } = await addGuild('Moderated');
    const subject = `user:${member.id}`;
    await setEntries(guild, [{ subject, level: 'editor' }]);
    await using list = await world.open(member, '/');
    const card = list.getByRole('article').filter({ hasText: guild.name });
    await card.getByText('Editor').waitFor();
    await card.getByRole('link', { name: guild.name }).click();
    const settings = new SettingsPage(list);
    await settings.live();
    expect(await list.getByRole('link', { name: 'Erase…' }).count()).toBe(0);
    await settings.prefix.fill('?');
    await settings.saved();
    expect(await guild.record()).toMatchObject({ prefix: '?' });
    await settings.prefix.fill('$');
    await setEntries(guild, [{ subject, level: 'viewer' }]);
    await list.getByText('You are now a viewer of this server').first().waitFor();
    expect(await controlsOf(list)).toEqual([]);
    await list.getByText('“?”').waitFor();
    for (const [name, shown] of [
      ['History', /changed the prefix/],
      ['Export and import', 'Download'],
      ['Access', member.name],
    ] as const) {
      await list.getByRole('link', { name, exact: true }).click();
      await list.locator('main').getByText(shown).first().waitFor();
    }
    expect(await list.getByRole('button', { name: /Undo|Restore|Go back|Remove|Save/ }).count()).toBe(0);
    await list.getByRole('link', { name: 'Settings', exact: true }).click();
    await settings.live();
    await setEntries(guild, []);
    await settings.shows('You no longer have access to this server');
  });

  test('a change of the list that is made before the page receives events is shown when they begin', async () => {
    const { guild, member } = await addGuild('Before the events');
    await using page = await world.open(guild.manager, '/');
    let begin: (() => Promise<void>) | undefined;
    const hold = (route: Route) => {
      begin = () => route.continue();
    };
    await page.route('**/trpc/guilds.follow*', hold, { times: 1 });
    await page.goto(`${world.url}${guild.path}/access`);
    await page.getByText('Nobody else.').waitFor();
    await waitUntil(() => begin !== undefined, { message: 'the page to ask for events' });
    await setEntries(guild, [{ subject: `user:${member.id}`, level: 'editor' }]);
    await begin?.();
    await page.getByText(member.name).first().waitFor();
  });

  test('a guild that a role opens is found by its address, and a change of the list is undone by managers alone', async () => {
    const { guild, member, role } = await addGuild('By role');
    await setEntries(guild, [{ subject: `role:${role.id}`, level: 'editor' }]);
    world.discord.world.setMemberRoles(guild.id, member.id, [role.id]);
    await using theirs = await world.open(member, `${guild.path}/history`);
    await theirs.getByText('@Helpers').first().waitFor();
    await theirs.getByRole('button', { name: 'Switch server' }).getByText(guild.name).waitFor();
    expect(await theirs.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0);
    await using mine = await world.open(guild.manager, `${guild.path}/history`);
    await mine.getByRole('button', { name: /^Undo change/ }).click();
    await mine.getByRole('dialog').getByText('@Helpers').first().waitFor();
    await mine.getByRole('button', { name: 'Undo the change' }).click();
    await mine
      .getByText(/^Change #\d+ was undone\.$/)
      .first()
      .waitFor();
    expect(await entriesOf(guild)).toEqual([]);
  });

  test('two managers at once: the slower one is told, keeps what they chose, and overwrites nothing else', async () => {
    const { guild, member, role } = await addGuild('Two managers at once');
    await setEntries(guild, [{ subject: `role:${role.id}`, level: 'viewer' }]);
    await using page = await openAccess(guild, guild.manager);
    await page.getByLabel('Level of @Helpers').selectOption('editor');
    await page.route(
      '**/trpc/guilds.setAccess',
      async (route) => {
        const theirs: Entries = [
          { subject: `role:${role.id}`, level: 'viewer' },
          { subject: `user:${member.id}`, level: 'viewer' },
        ];
        await setEntries(guild, theirs);
        await route.continue();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Another manager changed the list').waitFor();
    await page.getByLabel(`Level of ${member.name}`).waitFor();
    expect(await page.getByLabel('Level of @Helpers').inputValue()).toBe('editor');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. It applies').first().waitFor();
    expect(await entriesOf(guild)).toEqual([
      { subject: `role:${role.id}`, level: 'editor' },
      { subject: `user:${member.id}`, level: 'viewer' },
    ]);
  });

  test('shows a deleted role as deleted, asks before changes are lost, and axe finds nothing in both modes', async () => {
    const { guild, member, role } = await addGuild('Deleted role');
    await setEntries(guild, [
      { subject: `role:${role.id}`, level: 'viewer' },
      { subject: `user:${member.id}`, level: 'editor' },
    ]);
    world.discord.world.deleteRole(guild.id, role.id);
    await using page = await openAccess(guild, guild.manager, SMALL);
    const deleted = `Deleted role (${role.id})`;
    await page.getByRole('button', { name: `Remove ${deleted}` }).click();
    await page.getByRole('row', { name: deleted }).waitFor({ state: 'detached' });
    await expectNothingCutOff(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsOf(page)).toEqual([]);
    }
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await page.getByRole('alertdialog').getByText('Leaving discards them').waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. It applies').first().waitFor();
    expect(await entriesOf(guild)).toEqual([{ subject: `user:${member.id}`, level: 'editor' }]);
    await using theirs = await openAccess(guild, member);
    await theirs.getByRole('row', { name: member.name }).waitFor();
    expect(await controlsOf(theirs)).toEqual([]);
    expect(await violationsOf(theirs)).toEqual([]);
  });
});

async function entriesOf(guild: OwnGuild): Promise<Entries> {
  const response = await guild.call(guild.owner, { path: `${guild.path}/access` });
  return ((await response.json()) as GuildAccessList).entries;
}

/** Replaces the list as another program of the owner. */
async function setEntries(guild: OwnGuild, entries: Entries): Promise<void> {
  await guild.call(guild.owner, { method: 'PUT', path: `${guild.path}/access`, body: { entries } });
}

function rowsOf(page: Page): Promise<string[]> {
  return page.getByRole('table', { name: 'Who has access' }).getByRole('rowheader').allInnerTexts();
}

/** Returns the controls on the page that a person could operate, except links. */
function controlsOf(page: Page): Promise<string[]> {
  return page.locator('main :is(button, input, select, textarea, [role=switch])').allInnerTexts();
}
