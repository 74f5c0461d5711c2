import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import type { Removal } from '../../platform/tasks/pruning.ts'
import type { Devices } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import {
  endFindings,
  listFindings,
  listOpenFindings,
  removeEndedFindings,
  startFindings,
} from './quality/findings.pg.ts'
import { telemetryMigrations } from './quality/migrations.pg.ts'
import { telemetryClickhouse } from './store/migrations.ch.ts'
import { createTelemetry } from './telemetry.ts'
import type { TelemetryOptions } from './telemetry-options.ts'

export type { DeviceCounts } from './counts/device-counts.ts'
export type { ListedValue } from './counts/list-values.ts'
export type { FindValue } from './counts/metric-values.ts'
export { toHealth } from './counts/node-health.ts'
export type { FileReadings } from './intake/file-readings.ts'
export { FROM_FILES } from './messages/message-key.ts'
export { type Sample, toSampleValue } from './messages/sample.ts'
export { toAllowanceMs } from './presence/to-presence.ts'
export { countOpenFindings } from './quality/findings.pg.ts'
export { BacklogFullError } from './store/backlog-full.ts'
export { telemetryClickhouse } from './store/migrations.ch.ts'
export { type ReadingKey, toKeyText } from './store/stored-values.ch.ts'
export type { LiveStates, Telemetry } from './telemetry.ts'

/** Time to store the accepted messages when the server closes. */
const INTAKE_GRACE_MS = 1_000

export interface TelemetryDependencies
  extends Pick<
    ServerResources,
    'config' | 'db' | 'clickhouse' | 'queryClickhouse' | 'clock' | 'log' | 'registry' | 'broker' | 'owners'
  > {
  readonly devices: Devices
  readonly network: NetworkService
  readonly listWatering: TelemetryOptions['listWatering']
}

/** Intake of device messages, newest values, presence of devices and findings. */
export const telemetryModule = {
  migrations: telemetryMigrations,
  clickhouseMigrations: telemetryClickhouse,
  create({
    config,
    db,
    clickhouse,
    queryClickhouse,
    clock,
    log,
    registry,
    broker,
    owners,
    devices,
    network,
    listWatering,
  }: TelemetryDependencies) {
    const listOpen = () => listOpenFindings(db)
    const telemetry = createTelemetry({
      clickhouse,
      reading: queryClickhouse,
      clock,
      log,
      registry,
      broker,
      owners,
      network,
      startFindings: (changes) => startFindings(db, changes),
      endFindings: (ends) => endFindings(db, ends),
      listOpenFindings: listOpen,
      listFindings: (scope, query) => listFindings(db, scope, query),
      listWatering,
      devices: devices.service,
      directory: devices.directory,
      selector: devices.selector,
      getGateway: devices.getGateway,
      cell: config.cell,
      mode: config.mode,
      retentionDays: config.history.retentionDays.readings,
    })
    const removeFindings: Removal = (before, limit) => removeEndedFindings(db, before, limit)
    return {
      ...telemetry,
      listFindings: listOpen,
      removals: { findings: removeFindings },
      start: telemetry.restore,
      close: () => telemetry.close(INTAKE_GRACE_MS),
    }
  },
} satisfies ServerModule
