import { type ReactNode, useState } from 'react';
import { cdnUrl } from '../service/cdn.ts';
import styles from './guild-icon.module.css';
import { initials } from './initials.ts';

interface GuildIconProps {
  readonly guild: { readonly id: string; readonly name: string; readonly icon: string | null };
  readonly size?: 'small' | 'medium' | 'large';
}

/** Colours of the icons of guilds without one: a guild always has the same. */
const HUES = 12;

/** The icon of a guild; its initials where it has none or Discord does not send it. Decorative: the name is beside it. */
export function GuildIcon({ guild, size = 'medium' }: GuildIconProps): ReactNode {
  const [failed, setFailed] = useState<string>();
  const url = guild.icon === null ? undefined : cdnUrl(`icons/${guild.id}/${guild.icon}.webp?size=128`);
  const className = `${styles.icon} ${styles[size]}`;
  if (url === undefined || url === failed) {
    return (
      <span aria-hidden="true" className={className} data-hue={Number(BigInt(guild.id) % BigInt(HUES))}>
        {initials(guild.name)}
      </span>
    );
  }
  return <img className={className} src={url} alt="" loading="lazy" decoding="async" onError={() => setFailed(url)} />;
}
