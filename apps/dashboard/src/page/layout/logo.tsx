import { type ReactNode, useState } from 'react';
import { appIcon } from '../service/identity.js';
import styles from './frame.module.css';

/** The icon of the bot; a mark of the page where it has none or Discord does not send it. */
export function Logo({ size = '1.75rem' }: { readonly size?: string }): ReactNode {
  const [hasFailed, setFailed] = useState(false);
  const icon = appIcon();
  if (icon !== undefined && !hasFailed) {
    return (
      <img
        className={styles.logo}
        src={icon}
        alt=""
        style={{ inlineSize: size, blockSize: size }}
        onError={() => setFailed(true)}
      />
    );
  }
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 32 32"
      style={{ inlineSize: size, blockSize: size }}
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
