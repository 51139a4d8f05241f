import type { ReactNode } from 'react';

/** The mark of the page, as in its icon. */
export function Logo(): ReactNode {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 32 32"
      width="28"
      height="28"
      fill="none"
      stroke="#fff"
      strokeWidth="2.5"
      strokeLinecap="round"
    >
      <rect width="32" height="32" rx="8" fill="#4752c4" stroke="none" />
      <path d="M8 11h9M23 11h1M8 21h1M15 21h9" />
      <circle cx="20" cy="11" r="3" />
      <circle cx="12" cy="21" r="3" />
    </svg>
  );
}
