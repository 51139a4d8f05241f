import { type ReactNode, useState } from 'react';
import { cdnUrl } from '../service/identity.js';
import styles from './guild-icon.module.css';
import { initials } from './initials.ts';

interface GuildIconProps {
  readonly guild: { readonly id: string; readonly name: string; readonly icon: string | null };
  readonly size?: 'small' | 'medium' | 'large';
}

interface PictureProps {
  readonly id: string;
  readonly name: string;
  readonly path: string | undefined;
  readonly size: 'small' | 'medium' | 'large' | 'person';
}

/** Colours of what has no image: a guild or a person always has the same. */
const HUES = 12;

export function GuildIcon({ guild, size = 'medium' }: GuildIconProps): ReactNode {
  const { id, name, icon } = guild;
  const path = icon === null ? undefined : `icons/${id}/${icon}.webp?size=128`;
  return <Picture id={id} name={name} path={path} size={size} />;
}

/** The image of a guild or a person; the initials of the name where Discord sends none. Decorative. */
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
