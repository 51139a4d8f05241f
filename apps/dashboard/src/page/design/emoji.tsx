import { emojiId } from '@guild-settings/contract/settings';
import { type ReactNode, useState } from 'react';
import { cdnUrl } from '../service/identity.ts';
import styles from './picture.module.css';

/** Returns an emoji in typed form: `:wave:` for `<:wave:41771983429993937>`; a Unicode emoji unchanged. */
export function emojiName(emoji: string): string {
  return emojiId(emoji) === undefined ? emoji : `:${emoji.split(':')[1]}:`;
}

/** Returns the URL of the image of a custom emoji; undefined: a Unicode emoji, or images are disabled. */
export function emojiUrl(emoji: string): string | undefined {
  const id = emojiId(emoji);
  const animation = emoji.startsWith('<a') ? '&animated=true' : '';
  return id === undefined ? undefined : cdnUrl(`emojis/${id}.webp?size=48${animation}`);
}

interface EmojiImageProps {
  readonly emoji: string;
  /** True: its name is beside it, so it is decorative. */
  readonly isNamed?: boolean;
}

/** The image of a custom emoji, or its name if Discord sends none. A Unicode emoji is text. */
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
