import type { Clock } from '../../platform/clock.ts'
import type { Config } from '../../platform/config.ts'
import type { Caller } from '../../platform/http/call.ts'
import type { Log } from '../../platform/log.ts'
import type { CallMeter } from '../../platform/meter/call-meter.ts'
import type { BrokerPort } from '../../platform/mqtt/broker-port.ts'
import { toPorts } from '../../platform/mqtt/to-ports.ts'
import { recordOperation } from '../../platform/operation/operate.pg.ts'
import type { Operation } from '../../platform/operation/operation.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { Devices } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import type { SessionService } from '../session/index.ts'
import { createBackups } from './backups/backups.ts'
import { createCompanies } from './companies.pg.ts'
import { createInterfaces } from './interfaces/interfaces.ts'
import { createApiKeys } from './keys/api-keys.pg.ts'
import { createKeyAccess } from './keys/key-access.pg.ts'
import { createLogRetention } from './log/log-retention.pg.ts'
import { createOperationLog } from './log/operation-log.pg.ts'
import { createModules } from './modules.pg.ts'
import { createOrganisations } from './organisations.pg.ts'
import { findGrants } from './resources.pg.ts'
import { createRoleChanges } from './roles/role-changes.pg.ts'
import { createRoleCodes } from './roles/role-codes.pg.ts'
import { createRoleLists } from './roles/roles.pg.ts'

export interface SystemDependencies {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly config: Pick<Config, 'logRetentionDays' | 'mode'>
  readonly meter: CallMeter
  readonly broker: Pick<BrokerPort, 'isEmbedded' | 'port' | 'tlsPort' | 'tls'>
  readonly session: Pick<SessionService, 'login' | 'listModules' | 'findAccountAccess'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly devices: Pick<Devices, 'requireReadableConfig'>
}

/** Administration of the system, one service for each subject. */
export const createSystem = ({
  db,
  clock,
  log,
  config: { logRetentionDays: retentionDays, mode },
  meter,
  broker,
  session,
  network,
  devices,
}: SystemDependencies) => ({
  session,
  devices,
  modules: createModules(db),
  roles: createRoleChanges(db),
  roleLists: createRoleLists(db),
  roleCodes: createRoleCodes(db),
  organisations: createOrganisations(db),
  companies: createCompanies(db),
  log: createOperationLog({ db, clock, network, retentionDays }),
  logRetention: createLogRetention({ db, clock, log, retentionDays }),
  apiKeys: createApiKeys({ db, clock, network }),
  keyAccess: createKeyAccess(db, clock, session),
  backups: createBackups({ db, clock, mode }),
  interfaces: createInterfaces({ db, clock, log, meter }),
  getBroker: () => ({
    isEmbedded: broker.isEmbedded,
    ...toPorts(broker),
    ...(broker.tls === undefined ? {} : { tls: broker.tls }),
  }),
  findGrants: (caller: Caller, query: Parameters<typeof findGrants>[2]) => findGrants(db, caller, query),
  recordVisit: (operation: Operation) => recordOperation(db, operation, 'ok'),
})

export type SystemService = ReturnType<typeof createSystem>
