import type { Actor } from '@guild-settings/contract';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '../design/icons.tsx';
import { Logo, Picture } from '../design/picture.tsx';
import { appIcon } from '../service/identity.ts';
import { useUser } from '../session/session.ts';
import styles from './avatar.module.css';
import { useNames } from './use-names.ts';

const ICONS: Readonly<Record<string, IconName>> = { application: 'bot', platform: 'discord' };

export function Avatar({ actor }: { readonly actor: Actor }): ReactNode {
  const { kind, id } = actor;
  const user = useUser();
  const isReader = kind === 'user' && user?.id === id;
  const { nameOf, avatarOf } = useNames(isReader ? [] : [actor]);
  if (kind === 'application' && appIcon() !== undefined) return <Logo size="1.75rem" />;
  if (kind !== 'user' || id === null) {
    return (
      <span className={styles.icon}>
        <Icon name={ICONS[kind] ?? 'user'} />
      </span>
    );
  }
  const hash = isReader ? user?.avatar : avatarOf(actor);
  const path = hash == null ? undefined : `avatars/${id}/${hash}.webp?size=64`;
  return <Picture id={id} name={isReader ? user.name : nameOf(actor)} path={path} size="person" />;
}
