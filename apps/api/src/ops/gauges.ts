/** Help and label of a gauge that a part of the service registers. */
interface GaugeText {
  readonly help: string;
  readonly label?: string;
}

/** The gauges whose values the parts of the service read when the metrics are. */
export const GAUGES = {
  store_ready: { help: 'Checks of /readyz: 1 or 0, by check: read or write.', label: 'check' },
  store_waiting_writes: { help: 'Writes that wait for a transaction, at most 10,000.' },
  erasures_unfinished: { help: 'Requested erasures with rows left to erase: 0 within seconds to minutes.' },
  guild_settings_watchers: {
    help: 'Registered processes that follow the guilds, by state: connected, away since less than an hour, or left within a day.',
    label: 'state',
  },
  discord_circuit_state: {
    help: 'Circuit breaker of requests to Discord: 1 for the present state, closed, half-open or open (no request is sent).',
    label: 'state',
  },
  postgres_pool_max_connections: { help: 'With PostgreSQL: the maximum of connections.' },
  postgres_pool_connections: { help: 'With PostgreSQL: open connections, in use or idle.' },
  postgres_pool_idle_connections: { help: 'With PostgreSQL: open connections that are not in use.' },
  postgres_pool_waiting_requests: {
    help: 'With PostgreSQL: statements and transactions that wait for a connection.',
  },
} as const satisfies Readonly<Record<string, GaugeText>>;

export type GaugeName = keyof typeof GAUGES;
