import { Registry } from 'prom-client'
import { type Core, createCore, type Surroundings } from './core.ts'
import {
  alarmsMigrations,
  createAlarms,
  createAlarmsReferences,
  removeEndedAlarms,
} from './modules/alarms/index.ts'
import { balancingMigrations, createBalancing, createBalancingReferences } from './modules/balancing/index.ts'
import {
  addCommandMetrics,
  commandsMigrations,
  createBatchHandlers,
  createCommands,
  createCommandsHandlers,
  createCommandsReferences,
  createHoldHandlers,
  createPumpHandlers,
} from './modules/commands/index.ts'
import { createConsole } from './modules/console/index.ts'
import {
  createControlHandlers,
  createDevicesHandlers,
  createDevicesReferences,
  createModelHandlers,
  createRegistryHandlers,
} from './modules/devices/index.ts'
import { createHistory, historyClickhouse } from './modules/history/index.ts'
import { createLive } from './modules/live/index.ts'
import { createMap } from './modules/map/index.ts'
import { createMapNodes, createNetworkHandlers, createNetworkReferences } from './modules/network/index.ts'
import { createSessionHandlers } from './modules/session/index.ts'
import { createSystem, createSystemHandlers, createSystemReferences } from './modules/system/index.ts'
import {
  createFindingStore,
  createTelemetry,
  removeEndedFindings,
  telemetryClickhouse,
  telemetryMigrations,
} from './modules/telemetry/index.ts'
import { createTransferReferences, createTransfers, transferMigrations } from './modules/transfer/index.ts'
import { createUsers, createUsersReferences } from './modules/users/index.ts'
import { createClickhouse } from './platform/clickhouse/clickhouse.ch.ts'
import { migrateClickhouse } from './platform/clickhouse/migrate.ch.ts'
import { createHttpApp } from './platform/http/app.ts'
import { defaultRateLimits, type RateLimits } from './platform/http/rate-limits.ts'
import { addProcessMetrics } from './platform/lifecycle/process-metrics.ts'
import { closeInOrder } from './platform/lifecycle/shutdown.ts'
import { createBroker } from './platform/mqtt/create-broker.ts'
import { noteOperation } from './platform/operation/operate.pg.ts'
import { isAnswering } from './platform/postgres/database.pg.ts'
import { readRevisions } from './platform/signals/revisions.pg.ts'
import { startPruning } from './platform/tasks/pruning.ts'
import { startBroker, type Wiring, wire } from './wire.ts'

export interface ServerOptions extends Surroundings {
  readonly rateLimits?: RateLimits
  /** Checks every answer against the contract; for tests. */
  readonly checkOutput?: boolean
}

export interface Server extends Core {
  readonly port: number
  /** Of the embedded broker. */
  readonly mqttPort: number | undefined
  /** Stops taking calls, ends the live push, stores what was taken, leaves broker and stores. */
  close(): Promise<void>
}

const INGEST_GRACE_MS = 1_000
/** Changes to the tables that refer to the core's. */
export const laterMigrations = [
  commandsMigrations,
  transferMigrations,
  telemetryMigrations,
  alarmsMigrations,
  balancingMigrations,
]

/** Starts everything; resolves when it takes calls and messages. */
export async function startServer(options: ServerOptions): Promise<Server> {
  // What is set wrong is said before anything is touched.
  const consoleModule = await createConsole(options.config)
  const core = await createCore(options, laterMigrations)
  const { config, log, clock, db, clickhouse, network, session, signals } = core
  const { service: devices, directory } = core.devices
  const registry = new Registry()
  addProcessMetrics(registry)
  await migrateClickhouse(clickhouse, [telemetryClickhouse, historyClickhouse], log)

  const broker = createBroker(config.mqtt, clock, log)
  const findings = createFindingStore(db)
  // Questions to the store wait for each other, and nothing that is stored waits for them.
  const reading = createClickhouse(config)
  const telemetry = createTelemetry({
    clickhouse,
    reading,
    clock,
    log,
    registry,
    directory,
    devices,
    network,
    broker,
    real: core.devices.real,
    findings,
    mode: config.mode,
    retentionDays: config.history.retentionDays.readings,
  })
  const history = createHistory({
    clickhouse: reading,
    clock,
    log,
    config,
    devices,
    directory,
    network,
    signals,
  })
  const commands = await createCommands({
    db,
    signals,
    clock,
    log,
    devices,
    directory,
    network,
    groups: core.devices.groups,
    listSwitchedOff: core.devices.listSwitchedOff,
    changes: core.devices.changes,
    findOpening: (id) => telemetry.states.find(id)?.metrics['valve.opening'],
    findMetrics: (id) => telemetry.states.find(id)?.metrics,
    publish: (topic, payload, request) => broker.publish(topic, payload, 1, request),
    isConnected: (node) => broker.isConnected?.(node) ?? true,
  })
  addCommandMetrics(commands, registry)
  const balancing = createBalancing({
    db,
    signals,
    clock,
    log,
    registry,
    network,
    clickhouse: reading,
    states: telemetry.states,
    presence: telemetry.presence,
    timeFactor: telemetry.timeFactor,
    commands: commands.service,
    batches: commands.batches,
    findHeld: commands.holds.findHeld,
    findPumpLimits: commands.pumps.findLimits,
    listSwitchedOff: core.devices.listSwitchedOff,
    findDevices: devices.findDevices,
    findAccess: session.findAccountAccess,
  })
  const alarms = createAlarms({
    db,
    signals,
    clock,
    log,
    registry,
    directory,
    network,
    findNewest: (id) => telemetry.states.find(id)?.ts,
    isPresent: (id) => telemetry.presence.find(id) === 'present',
    findAwayMs: telemetry.presence.awayMs,
    listFindings: findings.listOpen,
    listStopped: balancing.listStopped,
    telling: {
      mayBeLocal: config.allowsLocalTargets,
      services: [config.databaseUrl, config.clickhouseUrl, ...(config.mqtt.url ? [config.mqtt.url] : [])],
    },
  })
  const live = createLive({
    clock,
    log,
    registry,
    session,
    network,
    directory,
    signals,
    mode: config.mode,
    states: telemetry.states,
    timeFactor: telemetry.timeFactor,
  })
  const transfers = createTransfers({
    db,
    network,
    signals,
    clock,
    log,
    findAccess: session.findAccountAccess,
  })
  const map = createMap({
    signals,
    clock,
    network,
    telemetry,
    nodes: createMapNodes(db),
    tiles: config.mapTiles,
  })
  const wiring: Wiring = { telemetry, commands, alarms, live, broker, transfers, history, balancing, map }
  wire(wiring)

  const app = await createHttpApp({
    log,
    clock,
    ...config.http,
    metrics: registry,
    rateLimits: options.rateLimits ?? defaultRateLimits,
    checkOutput: options.checkOutput ?? false,
    authenticate: session.authenticate,
    readRevisions: () => readRevisions(db),
    references: {
      ...createNetworkReferences(db),
      ...createDevicesReferences(db, directory),
      ...createUsersReferences(db),
      ...createSystemReferences(db),
      ...createTransferReferences(db),
      ...createCommandsReferences(db),
      ...createAlarmsReferences(db),
      ...createBalancingReferences(db),
    },
    noteOperation: (operation, result) => noteOperation(db, operation, result),
    checks: {
      postgres: () => isAnswering(db),
      clickhouse: async () => (await clickhouse.ping()).success,
      broker: async () => broker.isReady(),
      ingest: async () => telemetry.isHealthy(),
    },
    handlers: {
      ...createSessionHandlers(session),
      ...consoleModule.handlers,
      ...createNetworkHandlers(network, db),
      ...createUsers({ db, clock, network, session, config }),
      ...createDevicesHandlers(devices, network),
      ...createRegistryHandlers({
        devices,
        network,
        changes: core.devices.changes,
        findWithReadings: telemetry.findWithReadings,
      }),
      ...createModelHandlers(core.devices.models),
      ...createControlHandlers(core.devices.control, core.devices.groups),
      ...createSystemHandlers(createSystem({ db, clock, session, network })),
      ...telemetry.handlers,
      ...history.handlers,
      ...createCommandsHandlers(commands.service),
      ...createBatchHandlers(commands.batches),
      ...createHoldHandlers(commands.holds),
      ...createPumpHandlers(commands.pumps),
      ...transfers.handlers,
      ...alarms.handlers,
      ...balancing.handlers,
      ...map.handlers,
    },
  })
  consoleModule.mount(app)
  await live.mount(app)
  await telemetry.restore()
  await alarms.start()
  await startBroker(wiring, core)
  history.start()
  balancing.start()
  const pruning = startPruning({
    clock,
    log,
    retentionDays: config.alarmRetentionDays,
    removals: {
      alarms: (before, most) => removeEndedAlarms(db, before, most),
      findings: (before, most) => removeEndedFindings(db, before, most),
    },
  })
  await app.listen({ host: config.http.host, port: config.http.port })
  const address = app.server.address()

  return {
    ...core,
    port: typeof address === 'object' && address ? address.port : config.http.port,
    mqttPort: broker.port,
    close: () =>
      closeInOrder(
        [
          { name: 'live', close: async () => live.close() },
          { name: 'http', close: () => app.close() },
          { name: 'transfers', close: () => transfers.close() },
          { name: 'balancing', close: () => balancing.close() },
          { name: 'map', close: async () => map.close() },
          { name: 'commands', close: () => commands.close() },
          { name: 'history', close: () => history.close() },
          { name: 'pruning', close: () => pruning.close() },
          { name: 'ingest', close: () => telemetry.close(INGEST_GRACE_MS) },
          { name: 'alarms', close: () => alarms.close() },
          { name: 'broker', close: () => broker.close() },
          { name: 'reading', close: () => reading.close() },
          { name: 'clickhouse', close: () => clickhouse.close() },
          { name: 'signals', close: () => signals.close() },
          { name: 'postgres', close: () => db.destroy() },
        ],
        clock,
        log,
      ),
  }
}
