import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** What ingest counts for /metrics. */
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

/** Shows the rows that wait for the store. */
export function addBacklogGauge(registry: Registry, backlogRows: () => number): void {
  new Gauge({
    name: 'isotherm_ingest_backlog_rows',
    help: 'Readings taken but not yet durable',
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
      help: 'Messages from the field by channel',
      labelNames: ['channel'],
      registers,
    }),
    points: new Counter({ name: 'isotherm_ingest_points_total', help: 'Readings made durable', registers }),
    duplicates: new Counter({
      name: 'isotherm_ingest_duplicates_total',
      help: 'Messages that were already durable and only acknowledged',
      registers,
    }),
    rawFrames: new Counter({
      name: 'isotherm_ingest_raw_frames_total',
      help: 'Frames of field buses made durable',
      registers,
    }),
    gapsOpened: new Counter({
      name: 'isotherm_ingest_gaps_opened_total',
      help: 'Runs of messages missing in the numbers of a node for a minute, which it was asked for',
      registers,
    }),
    gapsClosed: new Counter({
      name: 'isotherm_ingest_gaps_closed_total',
      help: 'Runs of messages that came after they were asked for',
      registers,
    }),
    quarantined: new Counter({
      name: 'isotherm_ingest_quarantined_total',
      help: 'Messages and parts of messages kept out of the readings',
      labelNames: ['reason'],
      registers,
    }),
    refused: new Counter({
      name: 'isotherm_broker_refused_total',
      help: 'What the embedded broker turned away',
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
