import { readFile } from 'node:fs/promises'
import { createDevices, type Devices, devicesModule, importRegistryFile } from './modules/devices/index.ts'
import {
  createNetwork,
  type NetworkService,
  networkModule,
  refreshTreeNames,
} from './modules/network/index.ts'
import { createSession, type SessionService, sessionModule } from './modules/session/index.ts'
import { systemModule } from './modules/system/index.ts'
import { usersModule } from './modules/users/index.ts'
import { refuseUnfinishedRestore } from './platform/backup/unfinished-table.pg.ts'
import { listUnknownTenants } from './platform/cell/served.pg.ts'
import { type ClickHouseClient, createClickhouse } from './platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config.ts'
import type { GuardPlaces } from './platform/guard-places.ts'
import { migratePostgres } from './platform/lifecycle/migrate.pg.ts'
import { reportWhile } from './platform/lifecycle/report-while.ts'
import type { Log } from './platform/log.ts'
import { createDatabase, type Database } from './platform/postgres/database.pg.ts'
import type { ModuleMigrations } from './platform/postgres/module-migrations.ts'
import { createSignals } from './platform/signals/signals.pg.ts'
import type { Signals } from './platform/signals/signals.ts'

/** What the process passes to a server. */
export interface ProcessContext {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
}

/** The stores, and the services that every other module builds on. */
export interface Core extends ProcessContext {
  readonly db: Database
  readonly clickhouse: ClickHouseClient
  readonly signals: Signals
  readonly devices: Devices
  readonly network: NetworkService
  readonly session: SessionService
}

/** The modules of the core. A module comes after the modules whose tables it refers to. */
export const coreModules = [networkModule, devicesModule, sessionModule, systemModule, usersModule] as const

/** Changes of the core's PostgreSQL tables, in order. */
export const coreMigrations: readonly ModuleMigrations[] = coreModules.map(({ migrations }) => migrations)

/**
 * Connects the stores, updates the tables, imports the configured registry file and creates the services of the core.
 * `later`: migrations of the modules whose tables refer to the core's. `guardPlaces`: refuses an import that takes devices from where
 * they are needed.
 */
export async function createCore(
  { config, log, clock }: ProcessContext,
  later: readonly ModuleMigrations[] = [],
  guardPlaces?: GuardPlaces,
): Promise<Core> {
  const db = createDatabase(config, log)
  await refuseUnfinishedRestore(db)
  await reportWhile({ clock, log }, 'migrating PostgreSQL', () =>
    migratePostgres(db, [...coreMigrations, ...later], log),
  )
  await refreshTreeNames(db)
  if (config.registryFile !== undefined) {
    const text = await readFile(config.registryFile, 'utf8')
    await importRegistryFile(text, { db, log, now: clock.now(), guardPlaces })
  }
  const unknownTenants = config.cell ? await listUnknownTenants(db, config.cell) : []
  if (unknownTenants.length > 0)
    log.warn({ tenants: unknownTenants }, 'no company has these tenants of ISOTHERM_TENANTS yet')
  const signals = await createSignals(config, db, clock, log)
  const devices = await createDevices(db, signals, clock, log, config.cell)
  const network = createNetwork(db, devices)
  const session = await createSession({
    db,
    network,
    signals,
    clock,
    log,
    mode: config.mode,
    demoLanguage: config.demoLanguage,
    secret: config.factorSecret,
    hasSeparateDuties: config.hasSeparateDuties,
  })
  const clickhouse = createClickhouse(config)
  return { config, log, clock, db, clickhouse, signals, devices, network, session }
}
