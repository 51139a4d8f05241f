import { LIMITS } from '@guild-settings/contract/constants';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { announce, Loading } from '../design/panels.tsx';
import { rolesQuery } from '../people/roles.ts';
import { AddById, type AddProps } from './add-by-id.tsx';

/** The picker, which is larger than the page. Without it, ids will do. */
const SubjectPicker = lazy(() =>
  import('./subject-picker.tsx').then(
    (loaded) => ({ default: loaded.SubjectPicker }),
    () => ({ default: AddById }),
  ),
);

interface AddSubjectProps extends Omit<AddProps, 'onAdd'> {
  readonly onAdd: (subject: string) => void;
}

/** Adds a role or a person: chosen from those of the guild, or by an id where they cannot be listed. */
export function AddSubject({ onAdd, ...props }: AddSubjectProps): ReactNode {
  const { t } = useTranslation('access');
  const { data, isError } = useQuery({ ...rolesQuery(props.guild), retryOnMount: false });
  const place = useRef<HTMLDivElement>(null);
  const { length } = props.entries;
  useEffect(() => {
    // The list above has grown, and has moved what has the focus.
    if (length > 0) place.current?.querySelector(':focus')?.scrollIntoView({ block: 'nearest' });
  }, [length]);
  if (length >= LIMITS.accessEntries) return <p>{t('full', { max: LIMITS.accessEntries })}</p>;
  const add = (subject: string, who: string) => {
    onAdd(subject);
    announce(t('added', { who }));
  };
  const Add = data === undefined && isError ? AddById : SubjectPicker;
  return (
    <div ref={place}>
      <Suspense fallback={<Loading />}>
        <Add {...props} onAdd={add} />
      </Suspense>
    </div>
  );
}
