import type { ReactNode } from 'react';

const PATHS = {
  bot: 'M5 9h14v10H5zM12 9V5M9.5 13.5v1M14.5 13.5v1M2 13v3M22 13v3',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chevron: 'M6 9l6 6 6-6',
  clock: 'M12 21a9 9 0 100-18 9 9 0 000 18zM12 7.5V12l3 2',
  close: 'M6 6l12 12M18 6L6 18',
  devices: 'M3 5h13v9H3zM2 18h10M16 10h5v9h-5z',
  discord:
    'M8 6.5c2.6-.8 5.4-.8 8 0 2.2 3 3.2 6.5 3 10.3-1.3 1-2.6 1.6-4 2l-1-2M8 6.5c-2.2 3-3.2 6.5-3 10.3 1.3 1 2.6 1.6 4 2l1-2M7.5 15.8c3 1.3 6 1.3 9 0M9.5 12v.5M14.5 12v.5',
  external: 'M14 5h5v5M19 5l-8 8M17 14v5H5V7h5',
  grid: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  leave: 'M14 4h5v16h-5M4 12h10M10 8l4 4-4 4',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 017 0v3',
  more: 'M5 11.5a.5.5 0 100 1 .5.5 0 000-1zM12 11.5a.5.5 0 100 1 .5.5 0 000-1zM19 11.5a.5.5 0 100 1 .5.5 0 000-1z',
  offline:
    'M4 4l16 16M8.5 15.5a5 5 0 015-1.3M5 12a10 10 0 014-2.5M2 8.5A15 15 0 016 6M10 4.6A15 15 0 0122 8.5M14.5 9.6A10 10 0 0119 12M12 19v.01',
  people:
    'M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM2.5 20a6.5 6.5 0 0113 0M15.5 4.3a3.5 3.5 0 010 6.4M18 14.2a6.5 6.5 0 013.5 5.8',
  search: 'M11 18a7 7 0 100-14 7 7 0 000 14zM20 20l-4-4',
  refresh: 'M20 5v5h-5M4 19v-5h5M5.5 9A7.5 7.5 0 0119 8l1 2M18.5 15A7.5 7.5 0 015 16l-1-2',
  undo: 'M8 5L4 9l4 4M4 9h10a5.5 5.5 0 010 11H9',
  user: 'M12 12a4 4 0 100-8 4 4 0 000 8zM4.5 20a7.5 7.5 0 0115 0',
  warning: 'M12 9v4.5M12 17v.01M10.3 4.3L2.7 17.5A2 2 0 004.4 20.5h15.2a2 2 0 001.7-3L13.7 4.3a2 2 0 00-3.4 0z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = '1.25rem' }: { readonly name: IconName; readonly size?: string }): ReactNode {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ inlineSize: size, blockSize: size, flex: 'none' }}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
