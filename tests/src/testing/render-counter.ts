import type { Page } from 'playwright-core';

/** A node of React's tree, as far as it says whether its component was rendered. */
interface Fiber {
  readonly tag: number;
  readonly flags: number;
  readonly alternate: Fiber | null;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

/** The hook of React's developer tools, which builds for production use as well. */
interface ReactWindow {
  __REACT_DEVTOOLS_GLOBAL_HOOK__: object;
  rendered: number;
}

/** Counts how many components React renders in a page, from its next document on. */
export async function countRenders(page: Page): Promise<void> {
  await page.addInitScript(listen);
}

/** Returns how many components were rendered since the last call. */
export async function renderedSince(page: Page): Promise<number> {
  return page.evaluate<number>('(([count]) => ((window.rendered = 0), count))([window.rendered])');
}

/** Runs in the page. */
function listen(): void {
  const here = globalThis as unknown as ReactWindow;
  /** Kinds of nodes that are components, and the mark of one that was rendered: those of React's sources. */
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
