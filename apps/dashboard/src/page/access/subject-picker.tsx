import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Picker } from '../design/picker.tsx';
import { matching } from '../guilds/guilds.ts';
import { useMemberSearch } from '../people/member-search.ts';
import { rolesQuery } from '../people/roles.ts';
import type { AddProps } from './access-list.ts';

export function SubjectPicker({ guild, entries, onAdd }: AddProps): ReactNode {
  const { t, i18n } = useTranslation('access');
  const [typed, setTyped] = useState('');
  const { data: roles = [] } = useQuery(rolesQuery(guild));
  const found = useMemberSearch(guild, typed);
  const listed = new Set<string>(entries.map(({ subject }) => subject));
  const shownRoles = matching(roles, typed).filter(({ id }) => !listed.has(`role:${id}`));
  // Roles of bots come last: they cannot be assigned to people, and are rarely wanted.
  const byUse = [...shownRoles.filter(({ managed }) => !managed), ...shownRoles.filter(({ managed }) => managed)];
  const people = typed.trim() === '' ? [] : found.filter(({ id }) => !listed.has(`user:${id}`));
  const add = (subject: string) => {
    const role = roles.find(({ id }) => subject === `role:${id}`);
    const person = found.find(({ id }) => subject === `user:${id}`);
    onAdd(subject, role?.name ?? person?.name ?? subject);
  };
  const groups = [
    {
      id: 'roles',
      heading: t('roles'),
      options: byUse.map(({ id, name, managed }) => ({
        id: `role:${id}`,
        text: `@${name}`,
        note: managed ? t('managed') : undefined,
      })),
    },
    {
      id: 'people',
      heading: t('people'),
      options: people.map(({ id, name }) => ({ id: `user:${id}`, text: name, note: id })),
    },
  ];
  return (
    <Picker
      label={t('addLabel')}
      description={t('addHelp')}
      language={i18n.language}
      placeholder={t('search')}
      openLabel={t('show')}
      listLabel={t('list')}
      empty={t(typed.trim() === '' ? 'typeName' : 'noMatch')}
      groups={groups.filter(({ options }) => options.length > 0)}
      value={null}
      onPick={add}
      onType={setTyped}
    />
  );
}
