import type { ReactNode } from 'react';

const PATHS = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chevron: 'M6 9l6 6 6-6',
  close: 'M6 6l12 12M18 6L6 18',
  external: 'M14 5h5v5M19 5l-8 8M17 14v5H5V7h5',
  search: 'M11 18a7 7 0 100-14 7 7 0 000 14zM20 20l-4-4',
  refresh: 'M20 5v5h-5M4 19v-5h5M5.5 9A7.5 7.5 0 0119 8l1 2M18.5 15A7.5 7.5 0 015 16l-1-2',
  user: 'M12 12a4 4 0 100-8 4 4 0 000 8zM4.5 20a7.5 7.5 0 0115 0',
  warning: 'M12 9v4.5M12 17v.01M10.3 4.3L2.7 17.5A2 2 0 004.4 20.5h15.2a2 2 0 001.7-3L13.7 4.3a2 2 0 00-3.4 0z',
} as const;

export type IconName = keyof typeof PATHS;

/** A decorative icon in the colour of the text around it. */
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
