import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type ButtonKind, PlainLink } from '../design/button.tsx';
import { Icon } from '../design/icons.tsx';
import { useOpenPage } from '../design/page-link.tsx';
import { applicationQuery, inviteUrl, titleOf } from './guilds.ts';

interface InviteLinkProps {
  readonly guild: { readonly id: string; readonly name: string };
  readonly kind: ButtonKind;
}

/**
 * Opens Discord's invitation in another tab. This tab continues to the guild and waits for the bot, so that the
 * settings are shown when the person comes back.
 */
export function InviteLink({ guild, kind }: InviteLinkProps): ReactNode {
  const { t } = useTranslation();
  const openPage = useOpenPage();
  const { data: application } = useQuery(applicationQuery);
  if (application === undefined) return null;
  return (
    <PlainLink
      button={kind}
      href={inviteUrl(application, guild.id)}
      target="_blank"
      rel="noopener"
      aria-label={t('guilds.inviteTo', { name: titleOf(guild) })}
      onClick={() => openPage(`/guilds/${guild.id}`)}
    >
      {t('guilds.invite')}
      <Icon name="external" size="1rem" />
    </PlainLink>
  );
}
