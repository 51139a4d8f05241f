import { Events } from 'discord.js';
import { describe, expect } from 'vitest';
import { HAS_BROWSER, startBrowser } from '../src/testing/browser.ts';
import { GUILD, botTest as test } from '../src/testing/test-sim.ts';

describe.skipIf(!HAS_BROWSER)('the chat page', () => {
  test('suggests what a bot offers for an option, and shows the modal it opens', async ({ client, discord }) => {
    discord.world.addRole({ id: '1500000000000000001', guildId: GUILD.id, name: 'Helpers' });
    const option = { type: 3 as const, name: 'setting', description: 'Which', autocomplete: true };
    await client.application.commands.set([{ name: 'set', description: 'Sets', options: [option] }]);
    const components = [
      {
        type: 18,
        label: '<b>Text</b>',
        component: { type: 4, custom_id: 'text', style: 2, value: 'before', max_length: 9 },
      },
      { type: 18, label: 'Roles', component: { type: 6, custom_id: 'roles', required: false, max_values: 2 } },
    ];
    client.on(Events.InteractionCreate, (interaction) => {
      if (interaction.isAutocomplete()) void interaction.respond([{ name: 'The prefix', value: 'prefix' }]);
      if (interaction.isChatInputCommand()) {
        const title = `Set ${interaction.options.getString('setting')}`;
        void interaction.showModal({ custom_id: 'm', title, components } as never);
      }
      if (!interaction.isModalSubmit()) return;
      const roles = interaction.fields.getSelectedRoles('roles')?.map((role) => role?.name);
      void interaction.reply(`${interaction.fields.getTextInputValue('text')} ${roles}`);
    });
    await using browser = await startBrowser();
    const page = await browser.newPage();
    await page.goto(discord.chatUrl);
    await page.fill('#text', '/set');
    await page.press('#text', 'Enter');
    await page.fill('#option-0', 'pre');
    await page.waitForSelector('datalist option[value="The prefix"]', { state: 'attached' });
    await page.fill('#option-0', 'The prefix');
    await page.click('#command [type=submit]');
    await page.waitForSelector('#modal[open]');
    expect(await page.textContent('#modal-title')).toBe('Set prefix');
    expect(await page.textContent('#modal label')).toBe('<b>Text</b> (required)');
    expect(await page.inputValue('#modal-0')).toBe('before');
    await page.fill('#modal-0', 'one\ntwo');
    await page.selectOption('#modal-1', { label: '@Helpers' });
    await page.click('#modal [type=submit]');
    await page.waitForSelector('#modal:not([open])', { state: 'attached' });
    expect(await discord.messages.waitFor(({ content }) => content === 'one\ntwo Helpers')).toBeDefined();
  });
});
