import type { GrantedLevel } from '@guild-settings/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../design/button.tsx';
import { Select } from '../design/field.tsx';
import { Icon } from '../design/icons.tsx';
import styles from './access.module.css';
import type { Entries } from './access-draft.ts';
import { useSubjectText } from './use-subject-text.ts';

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
