import { emojiId } from '@guild-settings/contract/settings';
import { type ReactNode, useState } from 'react';
import { cdnUrl } from '../service/identity.ts';
import styles from './picture.module.css';

/** Returns an emoji as people type it: `:wave:` for `<:wave:41771983429993937>`; one of Unicode as it is. */
export function emojiName(emoji: string): string {
  return emojiId(emoji) === undefined ? emoji : `:${emoji.split(':')[1]}:`;
}

/** Returns the address of the image of an emoji of a guild; undefined: it is one of Unicode, or there are no images. */
export function emojiUrl(emoji: string): string | undefined {
  const id = emojiId(emoji);
  const animation = emoji.startsWith('<a') ? '&animated=true' : '';
  return id === undefined ? undefined : cdnUrl(`emojis/${id}.webp?size=48${animation}`);
}

interface EmojiImageProps {
  readonly emoji: string;
  /** True: its name is beside it, and it is decorative. */
  readonly isNamed?: boolean;
}

/** The image of an emoji of a guild; its name where Discord sends none. One of Unicode is its text. */
export function EmojiImage({ emoji, isNamed = false }: EmojiImageProps): ReactNode {
  const [failed, setFailed] = useState<string>();
  const [url, name] = [emojiUrl(emoji), isNamed ? '' : emojiName(emoji)];
  if (url === undefined || url === failed) return name;
  return (
    <img
      className={styles.emoji}
      src={url}
      alt={name}
      title={isNamed ? undefined : name}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(url)}
    />
  );
}
