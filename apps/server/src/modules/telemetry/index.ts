export { telemetryClickhouse } from './migrations.ch.ts'
export { createTelemetry, type LiveStates, type Telemetry } from './telemetry.ts'
