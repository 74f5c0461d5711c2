import type { ServerModule, ServerResources } from '../../platform/server-module.ts'
import type { Devices } from '../devices/index.ts'
import type { NetworkService } from '../network/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { createComplianceService } from './compliance/service.ts'
import { createRoomsHandlers } from './handlers.ts'
import { roomsMigrations } from './migrations.pg.ts'
import { createRulesService } from './rules/service.ts'
import { createRoomsService } from './service.ts'
import { createVisitsService } from './visits/service.ts'

export interface RoomsDependencies
  extends Pick<ServerResources, 'config' | 'db' | 'queryClickhouse' | 'clock'> {
  readonly devices: Pick<Devices, 'selector' | 'directory'>
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly telemetry: Pick<Telemetry, 'listValues' | 'states' | 'presence' | 'timeFactor'>
}

/** Room temperatures: which rooms are cold or hot, why, how they follow the rules, and measuring visits. */
export const roomsModule = {
  migrations: roomsMigrations,
  create({ config, db, queryClickhouse, clock, devices, network, telemetry }: RoomsDependencies) {
    const { selector, directory } = devices
    const { timeZone: zone, heatingSeason: season } = config.history
    const needs = { db, queryClickhouse, clock, network, telemetry, selector }
    return {
      handlers: createRoomsHandlers({
        rooms: createRoomsService(needs),
        rules: createRulesService(db, network),
        compliance: createComplianceService({ ...needs, zone, season }),
        visits: createVisitsService({ db, queryClickhouse, network, directory }),
      }),
    }
  },
} satisfies ServerModule
