import { By, Key } from 'selenium-webdriver';
import { describe, expect } from 'vitest';
import { test } from './testing/dashboard-world.ts';
import {
  type Engine,
  HAS_FIREFOX,
  HAS_WEBKIT,
  named,
  settled,
  startFirefox,
  startWebKit,
} from './testing/other-engines.ts';

const ENGINES = [
  { engine: 'Firefox', packages: 'firefox-esr', isThere: HAS_FIREFOX, start: startFirefox },
  { engine: 'WebKit', packages: 'webkit2gtk-driver and xvfb', isThere: HAS_WEBKIT, start: startWebKit },
];

/** The actions of a person in an engine, and waits for what the page shows. */
function visitor({ driver }: Engine) {
  return {
    async press(selector: string, name: string): Promise<void> {
      const element = await named(driver, selector, name);
      // WebKitWebDriver does not move what the header covers.
      await driver.executeScript('arguments[0].scrollIntoView({ block: "center" })', element);
      await element.click();
    },
    /** Presses the Tab key until the element of this name has the focus. */
    async reach(name: string): Promise<void> {
      const isReached = async () => (await driver.switchTo().activeElement().getAccessibleName()) === name;
      const step = async () => {
        if (await isReached()) return true;
        await driver.actions().sendKeys(Key.TAB).perform();
        return isReached();
      };
      await settled(`the Tab key to reach ${name}`, step);
    },
    async sees(text: string | RegExp): Promise<void> {
      const shown = () => driver.findElement(By.css('body')).getText();
      await settled(`the page to show ${text}`, async () => (await shown()).search(text) >= 0);
    },
    async finds(selector: string): Promise<void> {
      await settled(selector, async () => (await driver.findElements(By.css(selector))).length > 0);
    },
  };
}

describe.each(ENGINES)('in $engine, which needs $packages', ({ isThere, start }) => {
  test.skipIf(!isThere)('a person logs in, changes a setting, undoes that twice, and logs out', async ({ world }) => {
    const guild = await world.addGuild('Other engines');
    await using engine = await start();
    const { driver } = engine;
    const { press, reach, sees, finds } = visitor(engine);
    const keys = () => driver.actions();

    await driver.get(world.url);
    await press('a', 'Continue with Discord');
    await named(driver, 'select', 'You are');
    await driver.findElement(By.css(`option[value="${guild.owner.id}"]`)).click();
    await press('button', 'Authorize');
    await press('a', guild.name);
    await finds('[data-live=live]');
    await engine.errors();

    // With the keyboard. The edit outlives the document.
    await reach('Prefix');
    await keys().keyDown(Key.CONTROL).sendKeys('a').keyUp(Key.CONTROL).sendKeys('>').perform();
    await sees('1 unsaved change');
    expect(await engine.errors()).toStrictEqual([]);
    await driver.navigate().refresh();
    await finds('[data-live=live]');
    await engine.errors();
    expect(await (await named(driver, 'input', 'Prefix')).getProperty('value')).toBe('>');
    await reach('Save');
    await keys().sendKeys(Key.ENTER).perform();
    await sees(/Live on this server after \d+ ms/);
    expect(await guild.record()).toMatchObject({ prefix: '>' });
    await reach('Undo');
    await keys().sendKeys(Key.ENTER).perform();
    await sees(/Undone\. Live on this server/);

    // With the mouse.
    const [undone] = await guild.entries();
    await press('a', 'History');
    await press('button', 'Restore to a date…');
    await finds('input[type="datetime-local"]:focus');
    expect(await driver.executeScript('return getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    await keys().sendKeys(Key.ESCAPE).perform();
    await press('button', `Undo change #${undone?.revision}`);
    await press('dialog button', 'Undo the change');
    await sees(`Change #${undone?.revision} was undone.`);
    expect(await guild.record()).toMatchObject({ prefix: '>' });

    await press('button', 'Your account');
    await press('button', 'Log out');
    await named(driver, 'a', 'Continue with Discord');
    expect(await engine.errors()).toStrictEqual([]);
  });
});
