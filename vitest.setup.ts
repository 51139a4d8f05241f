import { afterEach, vi } from 'vitest';

// A test that fails or hangs may leave the clock of its file stopped, and the next test would wait for ever.
afterEach(() => {
  vi.useRealTimers();
});
