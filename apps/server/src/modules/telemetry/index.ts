export { createFindingStore, removeEndedFindings } from './finding-store.pg.ts'
export { telemetryClickhouse } from './migrations.ch.ts'
export { telemetryMigrations } from './migrations.pg.ts'
export { createTelemetry, type LiveStates, type Telemetry } from './telemetry.ts'
