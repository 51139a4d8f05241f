import type { ReactNode } from 'react';
import { EmptyState } from '../design/empty-state.tsx';
import { Loading, Skeleton } from '../design/panels.tsx';
import entryStyles from './entry-item.module.css';
import { type HistoryFilters, isFiltered } from './filters.ts';
import styles from './history.module.css';
import { useWords } from './use-words.ts';

export function HistoryLoading(): ReactNode {
  return (
    <Loading>
      <div className={styles.day}>
        <Skeleton width="6rem" height="1.5rem" />
        <div className={styles.list}>
          {[70, 55, 80, 60].map((width) => (
            <div key={width} className={entryStyles.entry}>
              <Skeleton width="2rem" height="2rem" />
              <div className={entryStyles.what}>
                <Skeleton width={`${width}%`} height="1.5rem" />
              </div>
            </div>
          ))}
        </div>
      </div>
    </Loading>
  );
}

/** No changes: of the guild, or of what the filters ask for. */
export function HistoryEmpty({ filters }: { readonly filters: HistoryFilters }): ReactNode {
  const { t } = useWords();
  const filtered = isFiltered(filters);
  return (
    <EmptyState icon={filtered ? 'search' : 'clock'}>
      <h2>{t(filtered ? 'empty.filteredHeading' : 'empty.heading')}</h2>
      <p>{t(filtered ? 'empty.filteredText' : 'empty.text')}</p>
    </EmptyState>
  );
}
