import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Metrics of the intake for /metrics. */
export interface TelemetryMetrics {
  readonly messages: Counter<'channel'>
  readonly points: Counter
  readonly duplicates: Counter
  readonly rawFrames: Counter
  readonly gapsOpened: Counter
  readonly gapsClosed: Counter
  readonly quarantined: Counter<'reason'>
  readonly refused: Counter<'reason'>
  readonly commitSeconds: Histogram
  readonly commitRows: Histogram
}

/** Adds a gauge of the rows that wait for the store. */
export function addBacklogGauge(registry: Registry, backlogRows: () => number): void {
  new Gauge({
    name: 'isotherm_ingest_backlog_rows',
    help: 'Readings that are accepted but not yet durable',
    registers: [registry],
    collect() {
      this.set(backlogRows())
    },
  })
}

export function createTelemetryMetrics(registry: Registry): TelemetryMetrics {
  const registers = [registry]
  return {
    messages: new Counter({
      name: 'isotherm_ingest_messages_total',
      help: 'Messages of gateways by channel',
      labelNames: ['channel'],
      registers,
    }),
    points: new Counter({
      name: 'isotherm_ingest_points_total',
      help: 'Readings that became durable',
      registers,
    }),
    duplicates: new Counter({
      name: 'isotherm_ingest_duplicates_total',
      help: 'Repeated messages, which are only acknowledged',
      registers,
    }),
    rawFrames: new Counter({
      name: 'isotherm_ingest_raw_frames_total',
      help: 'Frames of field buses that became durable',
      registers,
    }),
    gapsOpened: new Counter({
      name: 'isotherm_ingest_gaps_opened_total',
      help: 'Gaps in the numbers of gateways that were missing for a minute and requested',
      registers,
    }),
    gapsClosed: new Counter({
      name: 'isotherm_ingest_gaps_closed_total',
      help: 'Gaps that were filled after a request',
      registers,
    }),
    quarantined: new Counter({
      name: 'isotherm_ingest_quarantined_total',
      help: 'Rejected messages and parts of messages',
      labelNames: ['reason'],
      registers,
    }),
    refused: new Counter({
      name: 'isotherm_broker_refused_total',
      help: 'Messages, subscriptions and connections refused by the embedded broker',
      labelNames: ['reason'],
      registers,
    }),
    commitSeconds: new Histogram({
      name: 'isotherm_ingest_commit_seconds',
      help: 'Duration of one group commit',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    commitRows: new Histogram({
      name: 'isotherm_ingest_commit_rows',
      help: 'Readings in one group commit',
      buckets: [1, 10, 100, 1_000, 10_000, 100_000],
      registers,
    }),
  }
}
