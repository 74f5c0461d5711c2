import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { Config } from './config.ts'

export type { ClickHouseClient }

/** A client of the telemetry store. It keeps no connection that matters: each call stands for itself. */
export const createClickhouse = (config: Pick<Config, 'clickhouseUrl'>): ClickHouseClient =>
  createClient({
    url: config.clickhouseUrl,
    application: 'isotherm',
    request_timeout: 30_000,
    max_open_connections: 12,
    // Whoever asked hears of a failure and says it in our own log.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { date_time_input_format: 'best_effort' },
  })
