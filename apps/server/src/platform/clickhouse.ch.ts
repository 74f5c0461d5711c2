import { type ClickHouseClient, createClient } from '@clickhouse/client'
import type { Config } from './config.ts'

export type { ClickHouseClient }

/** A client of the telemetry store. It keeps no connection that matters: each call stands for itself. */
export const createClickhouse = (config: Pick<Config, 'clickhouseUrl'>): ClickHouseClient =>
  createClient({
    url: config.clickhouseUrl,
    application: 'isotherm',
    request_timeout: 30_000,
    max_open_connections: 12,
    clickhouse_settings: { date_time_input_format: 'best_effort' },
  })
