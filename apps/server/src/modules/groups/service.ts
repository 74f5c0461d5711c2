import type { InputOf } from '@isotherm/contract/endpoint'
import { type GroupSchedule, setGroupSchedule } from '@isotherm/contract/endpoints/control/group-schedules'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Call, Caller } from '../../platform/http/call.ts'
import { operate } from '../../platform/operation/operate.pg.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { createTimeZone } from '../../platform/time-zone.ts'
import type { DeviceGroupsService } from '../devices/index.ts'
import { findGroupZone, findSchedule, type StoredSchedule, writeSchedule } from './schedules.pg.ts'
import { listNext } from './week-times.ts'

export interface SchedulesNeeds {
  readonly db: Database
  readonly clock: Clock
  readonly groups: Pick<DeviceGroupsService, 'getValves'>
  /** Notifies the runner of a change. */
  readonly wake: () => void
}

export interface SchedulesService {
  get(caller: Caller, groupId: number): Promise<GroupSchedule>
  /** Throws device-group.not-found, device.not-controllable, entity.stale. */
  set(call: Call, given: InputOf<typeof setGroupSchedule>): Promise<GroupSchedule>
}

/** Coming orders that the answer lists. */
const LISTED = 8

const toLast = ({ lastMs, lastOpeningPct, lastOutcome, lastLeftOut, lastBatchId }: StoredSchedule) =>
  lastMs === null || lastOpeningPct === null || lastOutcome === null
    ? {}
    : {
        last: {
          at: lastMs,
          openingPct: lastOpeningPct,
          outcome: lastOutcome,
          leftOut: lastLeftOut ?? 0,
          ...(lastBatchId !== null && { batchId: lastBatchId }),
        },
      }

export function createSchedulesService({ db, clock, groups, wake }: SchedulesNeeds): SchedulesService {
  async function isWhole(caller: Caller, groupId: number): Promise<boolean> {
    try {
      return (await groups.getValves(caller, groupId)).valveIds.length > 0
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }

  async function get(caller: Caller, groupId: number): Promise<GroupSchedule> {
    const stored = await findSchedule(db, groupId)
    const timeZone = stored?.timeZone ?? (await findGroupZone(db, groupId))
    const maySet =
      setGroupSchedule.access.anyOf.some((permission) => caller.permissions.has(permission)) &&
      (await isWhole(caller, groupId))
    const orders = stored ? [...stored.orders] : []
    return {
      groupId,
      version: stored?.version ?? 0,
      enabled: stored?.enabled ?? false,
      orders,
      timeZone,
      ...(stored && { actor: stored.account }),
      next: [...listNext(orders, createTimeZone(timeZone), clock.now(), LISTED)],
      ...(stored && toLast(stored)),
      abilities: maySet ? ['set'] : [],
    }
  }

  return {
    get,
    async set({ caller, operation }, { groupId, version, enabled, orders }) {
      const { name, valveIds } = await groups.getValves(caller, groupId)
      if (valveIds.length === 0) throw new AppError('device.not-controllable', { device: name })
      const zone = createTimeZone(await findGroupZone(db, groupId))
      const nextMs = listNext(orders, zone, clock.now(), 1)[0]?.at
      const { accountId, account } = caller
      await operate(db, operation, (transaction) =>
        writeSchedule(transaction, { groupId, version, enabled, orders, accountId, account, nextMs }),
      )
      wake()
      return get(caller, groupId)
    },
  }
}
