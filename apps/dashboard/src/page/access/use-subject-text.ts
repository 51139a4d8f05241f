import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { rolesQuery, roleText } from '../people/roles.ts';
import { useNames } from '../people/use-names.ts';
import type { Entries } from './access-draft.ts';
import { peopleIn } from './access-queries.ts';

/** Returns how the roles and the people of an access list are called; by their ids where the names are not known. */
export function useSubjectText(guild: string, entries: Entries): (subject: string) => string {
  const { t } = useTranslation('access');
  const { data: roles } = useQuery({ ...rolesQuery(guild), retryOnMount: false });
  const { nameOf } = useNames(peopleIn(entries));
  return (subject) => {
    const [kind, id = ''] = subject.split(':', 2);
    if (kind !== 'role') return nameOf({ kind: 'user', id });
    return roleText(id, roles) ?? t(roles === undefined ? 'role' : 'deletedRole', { id });
  };
}
