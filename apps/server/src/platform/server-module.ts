import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { ClickHouseClient } from './clickhouse/clickhouse.ch.ts'
import type { ClickhouseMigrations } from './clickhouse/migrate.ch.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Handlers } from './http/handlers.ts'
import type { References } from './http/references.ts'
import type { Log } from './log.ts'
import type { CallMeter } from './meter/call-meter.ts'
import type { BrokerPort } from './mqtt/broker-port.ts'
import type { Database } from './postgres/database.pg.ts'
import type { ModuleMigrations } from './postgres/module-migrations.ts'
import type { Owners } from './replicas/owners.ts'
import type { Signals } from './signals/signals.ts'
import type { Removal } from './tasks/pruning.ts'

/** The resources of a server process that modules use. */
export interface ServerResources {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly db: Database
  readonly signals: Signals
  /** For inserts of readings and the queries that belong to them. */
  readonly clickhouse: ClickHouseClient
  /** For queries of users. Its own connections, so that an insert never waits for a long query. */
  readonly queryClickhouse: ClickHouseClient
  readonly broker: BrokerPort
  /** Which of the replicas requests the gaps of a gateway and answers its births (ADR 138). */
  readonly owners: Owners
  /** Counts calls and messages by interface. */
  readonly meter: CallMeter
  /** Metrics for Prometheus. */
  readonly registry: Registry
}

/** The parts that a module adds to a running server. */
export interface ModuleParts {
  readonly handlers?: Partial<Handlers>
  readonly references?: Partial<References>
  /** Adds routes that are no endpoints. Runs before the app listens. */
  readonly mount?: (app: FastifyInstance) => void | Promise<void>
  /** Starts the module's own work. The server starts the modules in the order of modules.ts. */
  readonly start?: () => void | Promise<void>
  /** Delete rows past their retention, by the name of the rows. */
  readonly removals?: Readonly<Record<string, Removal>>
  /** Stops the module's work and stores what it has accepted. The order is in server.ts. */
  readonly close?: () => unknown
}

/**
 * A feature of the server. The index.ts of each module exports one, except that of `seed`, which fills an installation and is no part
 * of a running server. The parameter type of `create` names the resources and the other modules that it uses.
 */
export interface ServerModule {
  /** Tables in PostgreSQL. */
  readonly migrations?: ModuleMigrations
  /** Tables in ClickHouse. */
  readonly clickhouseMigrations?: ClickhouseMigrations
  readonly create: (dependencies: never) => ModuleParts | Promise<ModuleParts>
}

type PartOf<Parts, Name extends keyof ModuleParts> =
  Parts extends Readonly<Record<Name, infer Part>> ? Part : never
type Merged<Part> = (Part extends unknown ? (part: Part) => void : never) extends (merged: infer All) => void
  ? All
  : never

/**
 * The handlers, or the reference checks, of all modules in one object. Its type has every name that a module adds, so a
 * missing handler does not compile.
 */
export function mergeParts<
  Modules extends Readonly<Record<string, ModuleParts>>,
  Name extends 'handlers' | 'references',
>(modules: Modules, name: Name): Merged<PartOf<Modules[keyof Modules], Name>> {
  return Object.assign({}, ...Object.values(modules).map((parts) => parts[name] ?? {}))
}
