import type { GrantedLevel } from '@guild-settings/contract';
import { LIMITS } from '@guild-settings/contract/constants';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { Select } from '../design/field.tsx';
import { Icon } from '../design/icons.tsx';
import { TextField } from '../design/inputs.tsx';
import { announce, Loading } from '../design/panels.tsx';
import { useShared } from '../i18n/use-shared.ts';
import { useNames } from '../people/names.ts';
import { rolesQuery, roleText } from '../people/roles.ts';
import styles from './access.module.css';
import { type AddProps, type Entries, peopleIn } from './access-list.ts';

interface AccessTableProps {
  readonly guild: string;
  readonly entries: Entries;
  readonly onSet?: (subject: string, level: GrantedLevel | null) => void;
}

export function AccessTable({ guild, entries, onSet }: AccessTableProps): ReactNode {
  const { t } = useTranslation(['access', 'common']);
  const textOf = useSubjectText(guild, entries);
  if (entries.length === 0) return <p>{t('nobody')}</p>;
  const options = (['viewer', 'editor'] as const).map((value) => ({
    value,
    text: t(`guilds.${value}`, { ns: 'common' }),
  }));
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{t('heading')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('who')}</th>
          <th scope="col">{t('level')}</th>
          {onSet !== undefined && (
            <th scope="col">
              <span className="visually-hidden">{t('remove')}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {entries.map(({ subject, level }) => {
          const who = textOf(subject);
          const known = options.find(({ value }) => value === level);
          return (
            <tr key={subject}>
              <th scope="row">
                <bdi>{who}</bdi>
              </th>
              {onSet === undefined ? (
                <td>{known?.text ?? level}</td>
              ) : (
                <>
                  <td>
                    <Select<string>
                      label={t('levelOf', { who })}
                      isLabelHidden
                      value={level}
                      options={known === undefined ? [...options, { value: level, text: level }] : options}
                      onChange={(chosen) => {
                        const option = options.find(({ value }) => value === chosen);
                        if (option !== undefined) onSet(subject, option.value);
                      }}
                    />
                  </td>
                  <td>
                    <Button
                      kind="quiet"
                      isIcon
                      aria-label={t('removeName', { who })}
                      onPress={() => onSet(subject, null)}
                    >
                      <Icon name="close" />
                    </Button>
                  </td>
                </>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Returns the names of the roles and people of an access list; ids if the names are unknown. */
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

/** The picker, which is larger than the page. Without it, ids can be entered. */
const SubjectPicker = lazy(() =>
  import('./subject-picker.tsx').then(
    (loaded) => ({ default: loaded.SubjectPicker }),
    () => ({ default: AddById }),
  ),
);

interface AddSubjectProps extends Omit<AddProps, 'onAdd'> {
  readonly onAdd: (subject: string) => void;
}

/** Adds a role or a person: selected from those of the guild, or by id if they cannot be listed. */
export function AddSubject({ onAdd, ...props }: AddSubjectProps): ReactNode {
  const { t } = useTranslation('access');
  const { data, isError } = useQuery({ ...rolesQuery(props.guild), retryOnMount: false });
  const place = useRef<HTMLDivElement>(null);
  const { length } = props.entries;
  useEffect(() => {
    // The list above has grown, which has moved the focused element.
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

const KINDS = ['role', 'user'] as const;
type Kind = (typeof KINDS)[number];

const SNOWFLAKE = /^\d{17,20}$/;

function AddById({ guild, entries, onAdd }: AddProps): ReactNode {
  const { t } = useTranslation('access');
  const { shared } = useShared();
  const [kind, setKind] = useState<Kind>('user');
  const [typed, setTyped] = useState('');
  const [flaw, setFlaw] = useState<'invalid' | 'everyone' | 'listed'>();
  const id = typed.trim();
  const add = () => {
    const subject = `${kind}:${id}`;
    if (!SNOWFLAKE.test(id)) return setFlaw('invalid');
    // The name of the role @everyone is that of the guild.
    if (kind === 'role' && id === guild) return setFlaw('everyone');
    if (entries.some((entry) => entry.subject === subject)) return setFlaw('listed');
    setTyped('');
    onAdd(subject, id);
  };
  return (
    <form
      className={styles.byId}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Select<Kind>
        label={t('kind')}
        value={kind}
        options={KINDS.map((value) => ({ value, text: t(`kinds.${value}`) }))}
        onChange={setKind}
      />
      <TextField
        label={t('id')}
        description={t('byId')}
        error={flaw === 'invalid' ? shared('flaw.notId') : flaw && t(flaw)}
        value={typed}
        onChange={(value) => {
          setTyped(value);
          setFlaw(undefined);
        }}
        inputMode="numeric"
        spellCheck={false}
      />
      <Button type="submit">{t('add')}</Button>
    </form>
  );
}
