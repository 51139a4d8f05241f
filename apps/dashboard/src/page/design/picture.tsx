import { type ReactNode, useState } from 'react';
import { appIcon, cdnUrl } from '../service/identity.ts';
import styles from './picture.module.css';

interface GuildIconProps {
  readonly guild: { readonly id: string; readonly name: string; readonly icon: string | null };
  readonly size?: 'small' | 'medium' | 'large';
}

interface PictureProps {
  readonly id: string;
  readonly name: string;
  readonly path: string | undefined;
  readonly size: 'small' | 'medium' | 'large' | 'person' | 'chip';
}

/** Number of colours for guilds and people without an image: each always has the same one. */
const HUES = 12;

export function GuildIcon({ guild, size = 'medium' }: GuildIconProps): ReactNode {
  const { id, name, icon } = guild;
  const path = icon === null ? undefined : `icons/${id}/${icon}.webp?size=128`;
  return <Picture id={id} name={name} path={path} size={size} />;
}

/** The image of a guild or a person, or the initials of the name if Discord sends none. Decorative. */
export function Picture({ id, name, path, size }: PictureProps): ReactNode {
  const [failed, setFailed] = useState<string>();
  const url = path === undefined ? undefined : cdnUrl(path);
  const className = `${styles.icon} ${styles[size]}`;
  if (url === undefined || url === failed) {
    return (
      <span aria-hidden="true" className={className} data-hue={Number(BigInt(id) % BigInt(HUES))}>
        {initials(name)}
      </span>
    );
  }
  return <img className={className} src={url} alt="" loading="lazy" decoding="async" onError={() => setFailed(url)} />;
}

/** The icon of the bot, or the page's own mark if the bot has none or Discord does not send it. */
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

/** Returns the first characters of the first two words, like Discord; only one for scripts with wide characters. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  const first = words.slice(0, 2).map(firstOf);
  const shown = first.every((letter) => letter.length === 1) ? first.join('') : (first[0] ?? '');
  return shown.toUpperCase();
}

/** Without `Intl.Segmenter`, whose data takes a tenth of a second to load on a phone. */
function firstOf(word: string): string {
  const [found = ''] = PLAIN.exec(word) ?? CHARACTER.exec(word) ?? [];
  return found;
}

/** A character that does not combine with the next one: there are no marks below U+0300. */
const PLAIN = /^[\0-\u02ff](?![\u0300-\uffff])/;

const FLAG = String.raw`\p{RI}{2}`;

const EMOJI = String.raw`\p{ExtPict}[\p{M}\p{EMod}\u{e0020}-\u{e007f}]*(?:\u200d\p{ExtPict}[\p{M}\p{EMod}]*)*`;

/** A letter with its marks; in Devanagari with those that form one unit with it. */
const LETTER = String.raw`(?:[\u0904-\u0939]\u093c?\u094d\u200d?)*[^]\p{M}*`;

const CHARACTER = new RegExp(`^(?:${FLAG}|${EMOJI}|${LETTER})`, 'u');
