import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { freePort, hasCommand, ResourceStack, startProgram, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { Builder, By, Capabilities, error, WebDriver, type WebElement } from 'selenium-webdriver';
import type { Command, Executor } from 'selenium-webdriver/lib/command.js';
import { Session } from 'selenium-webdriver/lib/session.js';

/** A browser with an empty profile, driven by WebDriver. Ended at the end of its scope. */
export interface Engine extends AsyncDisposable {
  readonly driver: WebDriver;
  /** Returns the errors and warnings of the console, and uncaught exceptions, of the document that is shown. */
  errors(): Promise<readonly string[]>;
}

/** Debian's package `firefox-esr`. */
export const HAS_FIREFOX = hasCommand('firefox-esr');

/** Debian's packages `webkit2gtk-driver`, and `xvfb` for the window that WebKitGTK cannot do without. */
export const HAS_WEBKIT = hasCommand('WebKitWebDriver') && hasCommand('Xvfb');

/**
 * Names of WebDriver's commands in Firefox's own protocol, which needs no geckodriver: Debian has none, and that of npm is fetched when
 * it is installed.
 */
const MARIONETTE: Readonly<Record<string, string>> = {
  get: 'Navigate',
  refresh: 'Refresh',
  executeScript: 'ExecuteScript',
  findElement: 'FindElement',
  findElements: 'FindElements',
  getActiveElement: 'GetActiveElement',
  getAccessibleName: 'GetComputedLabel',
  getElementProperty: 'GetElementProperty',
  getElementText: 'GetElementText',
  isElementDisplayed: 'IsElementDisplayed',
  clickElement: 'ElementClick',
  actions: 'PerformActions',
};

type Reply = readonly [kind: 1, id: number, failure: { error: string; message: string } | null, result: unknown];

/**
 * Sends the commands of WebDriver to Firefox.
 * @see https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
 */
class Marionette implements Executor {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #received = Buffer.alloc(0);
  #sent = 0;

  constructor(socket: Socket) {
    this.#socket = socket.on('data', (chunk: Buffer) => this.#receive(chunk));
  }

  /** Creates a session, which has the events of the console too. */
  async newSession(): Promise<Session> {
    const created = await this.#send('NewSession', { webSocketUrl: true });
    const { sessionId, capabilities } = created as { sessionId: string; capabilities: object };
    return new Session(sessionId, new Capabilities(capabilities));
  }

  async execute(command: Command): Promise<unknown> {
    const name = MARIONETTE[command.getName()];
    if (name === undefined) throw new Error(`Expected a command of the table, received ${command.getName()}`);
    const { sessionId: _, id, ...parameters } = command.getParameters() as Record<string, object>;
    const [element] = Object.values(id ?? {});
    const result = await this.#send(name, { ...parameters, id: element });
    return result !== null && typeof result === 'object' && 'value' in result ? result.value : result;
  }

  async #send(name: string, parameters: object): Promise<unknown> {
    this.#sent += 1;
    const text = JSON.stringify([0, this.#sent, `WebDriver:${name}`, parameters]);
    const { promise, resolve } = Promise.withResolvers<Reply>();
    this.#waiting.set(this.#sent, resolve);
    this.#socket.write(`${Buffer.byteLength(text)}:${text}`);
    const [, , failure, result] = await promise;
    if (failure !== null) error.throwDecodedError(failure);
    return result;
  }

  /** A message is its length in bytes, a colon and JSON. The first one greets, and has no number. */
  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    for (;;) {
      const colon = this.#received.indexOf(':');
      const end = colon + 1 + Number(this.#received.subarray(0, Math.max(colon, 0)));
      if (colon < 0 || this.#received.length < end) return;
      const reply = JSON.parse(this.#received.toString('utf8', colon + 1, end)) as Reply;
      this.#received = this.#received.subarray(end);
      this.#waiting.get(reply[1])?.(reply);
      this.#waiting.delete(reply[1]);
    }
  }
}

/** Starts Debian's Firefox, without a window. */
export async function startFirefox(): Promise<Engine> {
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder());
  await writeFile(folder.file('user.js'), 'user_pref("marionette.port", 0);');
  const args = ['-headless', '-no-remote', '-profile', folder.path, '-marionette', '-remote-debugging-port=0'];
  const firefox = resources.use(startProgram({ file: 'firefox-esr', args, env: { HOME: folder.path } }));
  const [, port] = await firefox.waitForOutput(/Marionette\s+INFO\s+Listening on port (\d+)/);
  const socket = connect(Number(port), '127.0.0.1');
  resources.use({ [Symbol.dispose]: () => void socket.destroy() });
  await once(socket, 'connect');
  const marionette = new Marionette(socket);
  const driver = new WebDriver(await marionette.newSession(), marionette);
  const errors: string[] = [];
  const events = await driver.getBidi();
  resources.use({ [Symbol.asyncDispose]: async () => void (await events.close()) });
  await events.subscribe('log.entryAdded');
  events.on('log.entryAdded', ({ level, text }: { readonly level: string; readonly text: string }) => {
    if (level === 'error' || level === 'warn') errors.push(text);
  });
  const owned = resources.move();
  return { driver, errors: async () => errors, [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose]() };
}

/** WebKitGTK reports nothing of the console while it is driven: the document collects it from the first call on. */
const COLLECT = `
  if (window.collected === undefined) {
    const collected = (window.collected = []);
    addEventListener('error', ({ message }) => collected.push(message));
    addEventListener('unhandledrejection', ({ reason }) => collected.push(String(reason)));
    for (const level of ['error', 'warn']) console[level] = (...values) => collected.push(values.join(' '));
  }
  return window.collected;`;

/** Starts the browser that comes with WebKitGTK, in a display without a screen. */
export async function startWebKit(): Promise<Engine> {
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder());
  const screen = ['-displayfd', '1', '-nolisten', 'tcp', '-screen', '0', '1400x1000x24'];
  const display = resources.use(startProgram({ file: 'Xvfb', args: screen }));
  const [, number] = await display.waitForOutput(/^(\d+)$/m);
  const port = await freePort();
  const env = { HOME: folder.path, XDG_RUNTIME_DIR: folder.path, DISPLAY: `:${number}` };
  resources.use(startProgram({ file: 'WebKitWebDriver', args: [`--port=${port}`], env }));
  const url = `http://127.0.0.1:${port}`;
  const isListening = () =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitUntil(isListening, { message: 'WebKitWebDriver to listen' });
  const browser = new Builder().disableEnvironmentOverrides().usingServer(url).forBrowser('MiniBrowser');
  const driver = await browser.build();
  // Ends the browser, which may have ended already.
  resources.use({ [Symbol.asyncDispose]: () => driver.quit().catch(() => {}) });
  const owned = resources.move();
  return {
    driver,
    errors: () => driver.executeScript<readonly string[]>(COLLECT),
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

/** Waits for a state of a page, whose elements may be replaced while they are read. */
export function settled(message: string, isReached: () => Promise<boolean>): Promise<void> {
  const isReplaced = (failure: unknown) => {
    if (failure instanceof error.WebDriverError) return false;
    throw failure;
  };
  return waitUntil(() => isReached().catch(isReplaced), { message });
}

/** Returns the element that a person sees, of the accessible name that the engine gives it. Waits until there is one. */
export async function named(driver: WebDriver, selector: string, name: string): Promise<WebElement> {
  const found: WebElement[] = [];
  await settled(`${selector} named ${name}`, async () => {
    for (const element of await driver.findElements(By.css(selector)))
      if ((await element.getAccessibleName()) === name && (await element.isDisplayed())) return found.push(element) > 0;
    return false;
  });
  return found[0] as WebElement;
}
