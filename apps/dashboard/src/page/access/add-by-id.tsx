import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { Select } from '../design/field.tsx';
import { TextField } from '../design/inputs.tsx';
import { useShared } from '../i18n/use-shared.ts';
import styles from './access.module.css';
import type { Entries } from './access-draft.ts';

/** Props for adding a subject to a list: a role as `role:ID`, a person as `user:ID`. */
export interface AddProps {
  readonly guild: string;
  readonly entries: Entries;
  readonly onAdd: (subject: string, name: string) => void;
}

const KINDS = ['role', 'user'] as const;
type Kind = (typeof KINDS)[number];

const SNOWFLAKE = /^\d{17,20}$/;

export function AddById({ guild, entries, onAdd }: AddProps): ReactNode {
  const { t } = useTranslation('access');
  const { shared } = useShared();
  const [kind, setKind] = useState<Kind>('user');
  const [typed, setTyped] = useState('');
  const [flaw, setFlaw] = useState<'invalid' | 'everyone' | 'listed'>();
  const id = typed.trim();
  const add = () => {
    const subject = `${kind}:${id}`;
    if (!SNOWFLAKE.test(id)) return setFlaw('invalid');
    // The role that every member has is called as the guild.
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
