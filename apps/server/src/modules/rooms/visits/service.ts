import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type {
  addRoomVisit,
  closeRoomVisit,
  getRoomVisits,
} from '@isotherm/contract/endpoints/monitoring/rooms'
import type { RoomVisit } from '@isotherm/contract/rooms/room-visit'
import { AppError } from '../../../platform/app-error.ts'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Call } from '../../../platform/http/call.ts'
import { lockVersion } from '../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../platform/operation/operate.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import type { NetworkService } from '../../network/index.ts'
import { findSensorAt } from './sensor-at.ch.ts'
import { findVisit, insertVisit, listVisits, storeResult } from './visits.pg.ts'

export interface VisitsNeeds {
  readonly db: Database
  readonly queryClickhouse: ClickHouseClient
  readonly network: Pick<NetworkService, 'resolveNodes'>
  readonly directory: Pick<DeviceDirectory, 'findById'>
}

/** Complaints about rooms and the visits that measure them. The devices of a call are already checked. */
export interface VisitsService {
  /** Throws node.not-found. */
  list(scope: Scope, input: InputOf<typeof getRoomVisits>): Promise<OutputOf<typeof getRoomVisits>>
  /** Throws device.not-found. */
  add(call: Call, input: InputOf<typeof addRoomVisit>): Promise<RoomVisit>
  /** Throws room-visit.not-found, entity.stale. */
  close(call: Call, input: InputOf<typeof closeRoomVisit>): Promise<RoomVisit>
}

export function createVisitsService(needs: VisitsNeeds): VisitsService {
  const { db, queryClickhouse, network, directory } = needs

  async function getVisit(deviceId: number, visit: number): Promise<RoomVisit> {
    const found = await findVisit(db, deviceId, visit)
    if (!found) throw new AppError('room-visit.not-found')
    return found
  }

  return {
    async list(scope, { nodes, ...query }) {
      return listVisits(db, { paths: await network.resolveNodes(scope, nodes), ...query })
    },

    async add({ operation }, request) {
      const { deviceId, requestedAt } = request
      if (directory.findById(deviceId)?.kind !== 'room-sensor') throw new AppError('device.not-found')
      const sensorC = await findSensorAt(queryClickhouse, deviceId, requestedAt)
      const visit = await operate(db, operation, (transaction) =>
        insertVisit(transaction, { ...request, sensorC, createdBy: operation.account }),
      )
      return getVisit(deviceId, visit)
    },

    async close({ operation }, { deviceId, visit, version, result }) {
      const before = await getVisit(deviceId, visit)
      if (before.result) throw new AppError('room-visit.not-found')
      const sensorC = await findSensorAt(queryClickhouse, deviceId, result.measuredAt)
      await operate(db, operation, async (transaction) => {
        const seen = { table: 'room_visit', entity: 'room-visit', id: visit, version } as const
        if (!(await lockVersion(transaction, seen))) throw new AppError('room-visit.not-found')
        await storeResult(transaction, visit, result, sensorC)
      })
      return getVisit(deviceId, visit)
    },
  }
}
