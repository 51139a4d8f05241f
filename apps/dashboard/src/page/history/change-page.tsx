import type { ReceivedArrival } from '@guild-settings/client/browser';
import { type Entry, sentenceOf } from '@guild-settings/i18n';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button } from '../design/button.tsx';
import { EmptyState } from '../design/empty-state.tsx';
import { Link } from '../design/link.tsx';
import { Card, ErrorPanel, Loading } from '../design/panels.tsx';
import { RelativeTime } from '../design/relative-time.tsx';
import { useGuild, useLevel } from '../guilds/guilds.ts';
import { Filled, UNFILLED } from '../i18n/filled.tsx';
import { absoluteTime } from '../i18n/time.ts';
import { failureOf } from '../service/failure.ts';
import { usePageTitle } from '../service/identity.ts';
import { ChangeLink, DifferenceTable, isWay, Parts, Person, useWords } from './change-text.tsx';
import styles from './history.module.css';

import { changeQuery } from './history-queries.ts';
import { RevertDialog, useReverted } from './revert.tsx';
import { type RevertTarget, revertsOf } from './revert-queries.ts';

const route = getRouteApi('/guilds/$guild/history/$revision');

export function ChangePage(): ReactNode {
  const { guild, revision: text } = route.useParams();
  const revision = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  const { t } = useWords();
  usePageTitle(t('change.title', { id: `#${text}` }), useGuild(guild)?.name);
  return (
    <div className={styles.page}>
      <Link to="/guilds/$guild/history" params={{ guild }}>
        ← {t('filter.everything')}
      </Link>
      <h2>{t('change.title', { id: `#${text}` })}</h2>
      {revision === undefined ? <UnknownChange /> : <Change key={revision} guild={guild} revision={revision} />}
    </div>
  );
}

function Change({ guild, revision }: { readonly guild: string; readonly revision: number }): ReactNode {
  const { t } = useWords();
  const client = useQueryClient();
  const reverted = useReverted();
  const [target, setTarget] = useState<RevertTarget>();
  const level = useLevel(guild);
  const { data: entry, error, refetch } = useQuery(changeQuery(guild, revision));
  if (entry === undefined) {
    if (error === null) return <Loading />;
    const isUnknown = ['not-found', 'invalid'].includes(failureOf(error).kind);
    return isUnknown ? <UnknownChange /> : <ErrorPanel error={error} onRetry={refetch} />;
  }
  const actions = level === undefined ? [] : revertsOf(entry, level);
  const done = (made: RevertTarget, arrival: ReceivedArrival | undefined) => {
    setTarget(undefined);
    reverted.tell(made, arrival);
    void client.invalidateQueries({ queryKey: ['change', guild] });
    void client.invalidateQueries({ queryKey: ['guild', guild] });
  };
  return (
    <>
      {reverted.message}
      <Facts entry={entry} />
      {actions.length > 0 && (
        <div className={styles.actions}>
          {actions.map((kind) => (
            <Button
              key={kind}
              kind={kind === 'undo' ? 'primary' : 'secondary'}
              onPress={() => setTarget({ kind, revision, isOfAccess: entry.kind === 'access' })}
            >
              {t(`entry.${kind}`)}
            </Button>
          ))}
        </div>
      )}
      {target !== undefined && actions.includes(target.kind) && (
        <RevertDialog
          key={`${target.kind} ${target.revision}`}
          guild={guild}
          target={target}
          onClose={() => setTarget(undefined)}
          onDone={(arrival) => done(target, arrival)}
          onOther={setTarget}
        />
      )}
    </>
  );
}

function Facts({ entry }: { readonly entry: Entry }): ReactNode {
  const words = useWords();
  const { t, shared, language } = words;
  const { at, actor, origin, reason, changes, undoneBy } = entry;
  return (
    <Card>
      <p className={styles.sentence}>
        <Parts parts={sentenceOf(entry, words)} />
      </p>
      <DifferenceTable changes={changes} caption={t('change.difference')} />
      <dl className={styles.facts}>
        <dt>{t('change.author')}</dt>
        <dd>
          <Person actor={actor} />
        </dd>
        <dt>{t('change.time')}</dt>
        <dd>
          <Filled
            text={shared('noted', UNFILLED)}
            slots={{ text: absoluteTime(Date.parse(at), language), note: <RelativeTime at={at} /> }}
          />
        </dd>
        {isWay(origin) && (
          <>
            <dt>{t('change.way')}</dt>
            <dd>{t(`origin.${origin}`)}</dd>
          </>
        )}
        {reason !== null && (
          <>
            <dt>{t('change.reason')}</dt>
            <dd>
              <bdi>{reason}</bdi>
            </dd>
          </>
        )}
        <dt>{t('change.state')}</dt>
        <dd>
          {undoneBy === undefined ? (
            t('change.inUse')
          ) : (
            <Filled text={shared('undoneBy', UNFILLED)} slots={{ change: <ChangeLink revision={undoneBy} /> }} />
          )}
        </dd>
      </dl>
    </Card>
  );
}

function UnknownChange(): ReactNode {
  const { t } = useWords();
  return (
    <EmptyState icon="clock">
      <h2>{t('change.unknownHeading')}</h2>
      <p>{t('change.unknownText')}</p>
    </EmptyState>
  );
}
