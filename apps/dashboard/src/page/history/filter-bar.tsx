import { fieldLabel, knownFields } from '@guild-settings/i18n';
import { type ReactNode, useRef } from 'react';
import { Button } from '../design/button.tsx';
import { Select } from '../design/field.tsx';
import { Icon } from '../design/icons.tsx';
import { useNames } from '../people/use-names.ts';
import { useUser } from '../session/session.ts';
import { changedField, type HistoryFilters, isFiltered } from './filters.ts';
import styles from './history.module.css';
import { useWords } from './use-words.ts';

interface FilterBarProps {
  readonly filters: HistoryFilters;
  readonly authors: readonly string[];
  readonly onChange: (filters: HistoryFilters) => void;
}

export function FilterBar({ filters, authors, onChange }: FilterBarProps): ReactNode {
  const words = useWords();
  const { t } = words;
  const user = useUser();
  const place = useRef<HTMLElement>(null);
  const { by, ...what } = filters;
  const people = [...new Set([...(user ? [user.id] : []), ...authors, ...(by === undefined ? [] : [by])])];
  const others = people.filter((id) => id !== user?.id).map((id) => ({ kind: 'user', id }));
  const { nameOf } = useNames(others);
  const textOf = (id: string) => (id === user?.id ? `${user.name} (${t('entry.you')})` : nameOf({ kind: 'user', id }));
  return (
    <search ref={place} className={styles.filters} aria-label={t('filter.label')}>
      <Select
        label={t('filter.what')}
        value={filters.field ?? filters.kind ?? ''}
        options={[
          { value: '', text: t('filter.everything') },
          { value: 'settings', text: t('filter.settings') },
          ...[...knownFields(words)].map((field) => ({ value: field, text: fieldLabel(field, words) })),
          { value: 'platform', text: t('filter.platform') },
        ]}
        onChange={(value: string) => onChange({ ...whatOf(value), ...(by !== undefined && { by }) })}
      />
      <Select
        label={t('filter.who')}
        value={by ?? ''}
        options={[{ value: '', text: t('filter.everyone') }, ...people.map((id) => ({ value: id, text: textOf(id) }))]}
        onChange={(id: string) => onChange({ ...what, ...(id !== '' && { by: id }) })}
      />
      <Button
        kind="quiet"
        isIcon
        hidden={!isFiltered(filters)}
        aria-label={t('filter.clear')}
        title={t('filter.clear')}
        onPress={() => {
          // The button goes, and the focus would go with it.
          place.current?.querySelector('select')?.focus();
          onChange({});
        }}
      >
        <Icon name="close" />
      </Button>
    </search>
  );
}

function whatOf(value: string): Omit<HistoryFilters, 'by'> {
  if (value === 'settings' || value === 'platform') return { kind: value };
  const field = changedField(value);
  return field === undefined ? {} : { field };
}
