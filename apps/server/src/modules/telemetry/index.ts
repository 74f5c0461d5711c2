export { telemetryClickhouse } from './migrations.ch.ts'
export type { PresenceChange, PresenceListener } from './presence-watch.ts'
export { createTelemetry, type LiveStates, type Telemetry } from './telemetry.ts'
export type { PresenceState } from './to-presence.ts'
