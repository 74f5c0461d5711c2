import { Registry } from 'prom-client'
import { connectModules } from './connect-modules.ts'
import { type Core, createCore, type ProcessContext } from './core.ts'
import { consoleModule } from './modules/console/index.ts'
import { guardSensors } from './modules/irrigation/index.ts'
import { isApiKey } from './modules/system/index.ts'
import { clickhouseMigrations, createModules, laterMigrations, type Modules } from './modules.ts'
import { createClickhouse } from './platform/clickhouse/clickhouse.ch.ts'
import { migrateClickhouse } from './platform/clickhouse/migrate.ch.ts'
import { withClickhouseLock } from './platform/clickhouse/migration-lock.pg.ts'
import { systemClock } from './platform/clock.ts'
import { createHttpApp } from './platform/http/app.ts'
import { defaultRateLimits, type RateLimits } from './platform/http/rate-limits.ts'
import { addProcessMetrics } from './platform/lifecycle/process-metrics.ts'
import { findLastVersion, recordProgramVersion } from './platform/lifecycle/program-versions.pg.ts'
import { reportWhile } from './platform/lifecycle/report-while.ts'
import { closeInOrder } from './platform/lifecycle/shutdown.ts'
import { createCallMeter } from './platform/meter/call-meter.ts'
import { meterBroker } from './platform/meter/meter-broker.ts'
import { addBrokerMetrics } from './platform/mqtt/broker-metrics.ts'
import { createBroker } from './platform/mqtt/create-broker.ts'
import { readTlsFiles } from './platform/mqtt/tls/tls-files.ts'
import { recordOperation } from './platform/operation/operate.pg.ts'
import { isAnswering } from './platform/postgres/database.pg.ts'
import { createOwners } from './platform/replicas/owners.ts'
import { addReplicaMetrics } from './platform/replicas/replica-metrics.ts'
import { type ModuleParts, mergeParts, type ServerResources } from './platform/server-module.ts'
import { readRevisions } from './platform/signals/revisions.pg.ts'
import { startPruning } from './platform/tasks/pruning.ts'
import { readVersion } from './read-version.ts'

export interface ServerOptions extends ProcessContext {
  readonly rateLimits?: RateLimits
  /** Checks every answer against the contract; for tests. */
  readonly checkOutput?: boolean
}

export interface Server extends Core {
  readonly port: number
  /** Port of the embedded broker; undefined with an external broker. */
  readonly mqttPort: number | undefined
  /** Its port with TLS; likewise. */
  readonly mqttTlsPort: number | undefined
  /** Stops new calls and messages, stores the accepted ones, and disconnects. */
  close(): Promise<void>
}

/**
 * The order in which a server closes. First the clients leave, then the work that uses other modules stops, then the
 * intake stores what it has accepted, and at last the stores disconnect. A name that is not in this list closes first.
 */
const CLOSE_ORDER: readonly string[] = [
  'live',
  'http',
  'transfer',
  'balancing',
  'map',
  'commands',
  'history',
  'pruning',
  'telemetry',
  'alarms',
  'broker',
  // It stores what the broker refused.
  'devices',
  // It stores the counts of the last calls and messages.
  'system',
  'owners',
  'queryClickhouse',
  'clickhouse',
  'signals',
  'postgres',
]

/** Connects the stores and the broker, updates all tables and records the version that did it. */
async function openResources(options: ServerOptions): Promise<Core & ServerResources> {
  const core = await createCore(options, laterMigrations, guardSensors)
  const { config, clock, log } = core
  const lastVersion = await findLastVersion(core.db)
  await reportWhile({ clock, log }, 'migrating ClickHouse', () =>
    withClickhouseLock(core.db, () =>
      migrateClickhouse(core.clickhouse, clickhouseMigrations, log, lastVersion),
    ),
  )
  await recordProgramVersion(core.db, await readVersion(), clock.now())
  // Durations are those that users wait, also when the server runs on a simulated clock.
  const meter = createCallMeter(systemClock)
  const registry = new Registry()
  addProcessMetrics(registry)
  const broker = meterBroker(createBroker(config, clock, log), meter)
  addBrokerMetrics(registry, broker)
  const owners = createOwners(broker.replicas, clock)
  addReplicaMetrics(registry, owners)
  return {
    ...core,
    registry,
    meter,
    broker,
    owners,
    queryClickhouse: createClickhouse(config),
  }
}

/** Creates the HTTP application with the endpoints and routes of all modules. It does not listen yet. */
async function createApp(server: Core & ServerResources, modules: Modules, options: ServerOptions) {
  const { config, log, clock, db, clickhouse, broker, session } = server
  const app = await createHttpApp({
    ...config.http,
    isDemo: config.mode === 'demo',
    log,
    clock,
    metrics: server.registry,
    meter: server.meter,
    requireEnabled: modules.system.requireEnabled,
    rateLimits: options.rateLimits ?? defaultRateLimits,
    checkOutput: options.checkOutput ?? false,
    authenticate: (backend, token, revision) =>
      isApiKey(token)
        ? modules.system.authenticateKey(token, revision)
        : session.authenticate(backend, token, revision),
    readRevisions: () => readRevisions(db),
    recordOperation: (operation, result) => recordOperation(db, operation, result),
    handlers: mergeParts(modules, 'handlers'),
    references: mergeParts(modules, 'references'),
    checks: {
      postgres: () => isAnswering(db),
      clickhouse: async () => (await clickhouse.ping()).success,
      broker: async () => broker.isReady(),
      ingest: async () => modules.telemetry.isHealthy(),
    },
  })
  for (const [name, { mount }] of Object.entries<ModuleParts>(modules)) {
    // The live push comes from the company's own backend.
    if (name !== 'live' || config.http.companyBackends['ht-api'] === undefined) await mount?.(app)
  }
  return app
}

const listParts = (modules: Modules): readonly ModuleParts[] => Object.values(modules)

/** Closes everything in CLOSE_ORDER. */
async function closeServer(
  { clock, log }: ProcessContext,
  parts: Readonly<Record<string, ModuleParts>>,
): Promise<void> {
  const names = Object.keys(parts).toSorted((a, b) => CLOSE_ORDER.indexOf(a) - CLOSE_ORDER.indexOf(b))
  const steps = names.map((name) => ({ name, close: async () => parts[name]?.close?.() }))
  await closeInOrder(steps, clock, log)
}

/** Starts a server. Resolves when it accepts calls and messages. */
export async function startServer(options: ServerOptions): Promise<Server> {
  // Reads files that the configuration names. A wrong configuration fails before the stores are touched.
  const console = await consoleModule.create(options.config)
  const { tls, url } = options.config.mqtt
  if (tls && url === undefined) await readTlsFiles(tls)
  const server = await openResources(options)
  const { config, clock, log, db, signals, clickhouse, queryClickhouse, broker, owners } = server

  const modules = await createModules(server, console)
  connectModules(modules)
  const app = await createApp(server, modules, options)
  for (const { start } of listParts(modules)) await start?.()
  const pruning = startPruning({
    clock,
    log,
    retentionDays: config.alarmRetentionDays,
    removals: Object.assign({}, ...listParts(modules).map(({ removals }) => removals ?? {})),
  })
  await app.listen({ host: config.http.host, port: config.http.port })

  const address = app.server.address()
  const { devices, network, session } = server
  return {
    config,
    log,
    clock,
    db,
    clickhouse,
    signals,
    devices,
    network,
    session,
    port: typeof address === 'object' && address ? address.port : config.http.port,
    mqttPort: broker.port,
    mqttTlsPort: broker.tlsPort,
    close: () =>
      closeServer(server, {
        ...modules,
        http: { close: () => app.close() },
        pruning,
        owners,
        queryClickhouse,
        clickhouse,
        signals,
        postgres: { close: () => db.destroy() },
      }),
  }
}
