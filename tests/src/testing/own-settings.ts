import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import type { Page } from 'playwright-core';

const label = (text: string) => ({ 'en-US': text });

/** A label with possible markup, a mention, a placeholder and right-to-left text. */
export const STRANGE = '**<b>** <@1> @everyone {{x}} שלום';

/** A declaration with each kind, single and as a list, in groups. */
export const EVERY_KIND: Declaration = defineSettings({
  groups: {
    welcome: { label: { 'en-US': 'Welcome', ru: 'Приветствие' }, enabledBy: 'welcomeOn' },
    strange: { label: label(STRANGE), description: label(`<script>alert(1)</script> ${STRANGE}`) },
  },
  features: { music: { label: label('Music *and* more') }, polls: { label: label('Polls') } },
  settings: {
    welcomeOn: { kind: 'switch', group: 'welcome', label: { 'en-US': 'Greet new members', ru: 'Встречать' } },
    greeting: {
      kind: 'text',
      lines: 'many',
      max: 2_000,
      default: 'Hello, {user}!',
      group: 'welcome',
      label: label('Greeting'),
      description: label('{user} is replaced by a mention of the new member.'),
    },
    signature: { kind: 'text', max: 40, default: 'none', group: 'strange', label: label(STRANGE) },
    xpRate: { kind: 'integer', min: 0, max: 100, default: 5, unit: '%', label: label('Experience rate') },
    cooldown: { kind: 'duration', min: 0, max: 86_400, default: 60, label: label('Cooldown') },
    logLevel: {
      kind: 'choice',
      choices: { off: label('Nothing'), errors: label('Errors'), all: label('Everything') },
      default: 'off',
      label: label('Log level'),
    },
    logChannel: { kind: 'channel', types: ['text'], label: label('Log channel') },
    helper: { kind: 'role', label: label('Helper role') },
    words: { kind: 'text', max: 20, many: { max: 3 }, label: label('Blocked words') },
    rates: { kind: 'integer', min: 1, max: 9, many: { max: 3 }, label: label('Rates') },
    waits: { kind: 'duration', min: 1, max: 86_400, many: { max: 3 }, label: label('Waits') },
    levels: {
      kind: 'choice',
      choices: { one: label('First'), two: label('Second') },
      many: { max: 2 },
      label: label('Levels'),
    },
    artChannel: { kind: 'channel', types: ['text'], needs: ['AddReactions'], label: label('Art channel') },
    channels: { kind: 'channel', many: { max: 3 }, label: label('Ignored channels') },
    roles: { kind: 'role', many: { max: 3 }, label: label('Own roles') },
    premium: { kind: 'switch', default: false, setBy: 'application', label: label('Premium') },
  },
});

/** The parts of a node in React's tree that show if its component was rendered. */
interface Fiber {
  readonly tag: number;
  readonly flags: number;
  readonly alternate: Fiber | null;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

/** The hook of React's developer tools, which is also used by production builds. */
interface ReactWindow {
  __REACT_DEVTOOLS_GLOBAL_HOOK__: object;
  rendered: number;
}

/** Counts the components that React renders in a page, from its next document on. */
export async function countRenders(page: Page): Promise<void> {
  await page.addInitScript(listen);
}

export async function renderedSince(page: Page): Promise<number> {
  return page.evaluate<number>('(([count]) => ((window.rendered = 0), count))([window.rendered])');
}

/** Runs in the page. */
function listen(): void {
  const here = globalThis as unknown as ReactWindow;
  /** Kinds of nodes that are components, and the mark of a rendered one, from React's sources. */
  const components = [0, 1, 11, 14, 15];
  const performedWork = 1;
  here.rendered = 0;
  const visit = (first: Fiber | null) => {
    for (let fiber = first; fiber !== null; fiber = fiber.sibling) {
      const before = fiber.alternate;
      const isRendered = before === null || (fiber.flags & performedWork) !== 0;
      if (isRendered && components.includes(fiber.tag)) here.rendered += 1;
      if (before === null || before.child !== fiber.child) visit(fiber.child);
    }
  };
  here.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    checkDCE() {},
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {},
    onCommitFiberRoot: (_id: number, { current }: { readonly current: Fiber }) => visit(current),
  };
}
