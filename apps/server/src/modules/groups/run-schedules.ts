import type { ScheduleOutcome } from '@isotherm/contract/endpoints/control/group-schedules'
import { setGroupSchedule } from '@isotherm/contract/endpoints/control/group-schedules'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { AppError } from '../../platform/app-error.ts'
import { type FindAccess, findCaller } from '../../platform/caller-of-account.ts'
import type { Clock, Timer } from '../../platform/clock.ts'
import type { Call } from '../../platform/http/call.ts'
import type { Log } from '../../platform/log.ts'
import { toSystemOperation } from '../../platform/operation/operation.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { runAsCaller } from '../../platform/tasks/current-caller.ts'
import { createTimeZone } from '../../platform/time-zone.ts'
import type { CommandsService } from '../commands/index.ts'
import type { DeviceGroupsService } from '../devices/index.ts'
import { advanceSchedule, findEarliest, listDue, type StoredSchedule } from './schedules.pg.ts'
import { findLast, listNext, type TimedOrder } from './week-times.ts'

export interface ScheduleRunnerNeeds {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly commands: Pick<CommandsService, 'send' | 'preview'>
  readonly groups: Pick<DeviceGroupsService, 'getValves'>
  readonly findAccess: FindAccess
}

/** An order that could not be sent within this time is skipped: operators have probably acted since. */
const MAX_LATE_MS = 12 * HOUR_MS
/** Other replicas and clock changes are noticed within this time. */
const POLL_MS = MINUTE_MS / 4
const AT_ONCE = 20

/** Another replica or a user has changed the schedule first. */
class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

interface Result {
  readonly outcome: ScheduleOutcome
  readonly leftOut: number
}

/** A call of the account that set the schedule, with its present rights; undefined if they are no longer sufficient. */
async function actFor(
  { findAccess, clock }: ScheduleRunnerNeeds,
  schedule: StoredSchedule,
): Promise<Pick<Call, 'caller' | 'operation'> | undefined> {
  const caller = await findCaller(findAccess, schedule)
  if (!caller || !setGroupSchedule.access.anyOf.some((permission) => caller.permissions.has(permission)))
    return undefined
  const { accountId, account } = caller
  return {
    caller,
    operation: {
      ...toSystemOperation('groupSchedule', clock.now()),
      accountId,
      account,
      companyId: schedule.companyId,
      input: { groupId: schedule.groupId },
    },
  }
}

/**
 * Sends the order of a schedule to the valves that accept it, and advances the schedule in the same transaction: an order is
 * sent once, whatever fails and however many replicas run.
 */
async function sendOrder(
  needs: ScheduleRunnerNeeds,
  schedule: StoredSchedule,
  order: TimedOrder,
  advance: (result: Result, batchId?: string) => Parameters<typeof advanceSchedule>[1],
): Promise<Result | undefined> {
  const { commands, groups } = needs
  const call = await actFor(needs, schedule)
  if (!call) return { outcome: 'no-access', leftOut: 0 }
  try {
    const { valveIds } = await groups.getValves(call.caller, schedule.groupId)
    const targets = valveIds.map((deviceId) => ({ deviceId, openingPct: order.openingPct }))
    if (targets.length === 0) return { outcome: 'none-possible', leftOut: 0 }
    const { refused } = await commands.preview(call.caller, { targets, priority: 'schedule' })
    const isRefused = new Set(refused.map(({ deviceId }) => deviceId))
    const accepted = targets.filter(({ deviceId }) => !isRefused.has(deviceId))
    if (accepted.length === 0) return { outcome: 'none-possible', leftOut: targets.length }
    const result = { outcome: 'sent', leftOut: targets.length - accepted.length } as const
    await commands.send(
      call,
      { targets: accepted, priority: 'schedule', reason: schedule.groupName },
      async (transaction, batchId) => {
        if (!(await advanceSchedule(transaction, advance(result, batchId)))) throw new Overtaken()
      },
    )
    return undefined
  } catch (error) {
    if (error instanceof Overtaken) return undefined
    if (error instanceof AppError && error.code !== 'server.unavailable')
      return { outcome: 'refused', leftOut: 0 }
    throw error
  }
}

async function runDue(needs: ScheduleRunnerNeeds, schedule: StoredSchedule): Promise<void> {
  const { db, clock } = needs
  const { id, nextMs, orders, timeZone } = schedule
  if (nextMs === null) return
  const now = clock.now()
  const zone = createTimeZone(timeZone)
  // Of several missed orders only the newest is wanted now.
  const order = findLast(orders, zone, now)
  const next = listNext(orders, zone, now, 1)[0]
  if (!order) return
  const advance = (result: Result, batchId?: string) => ({
    id,
    dueMs: nextMs,
    nextMs: next?.at,
    last: { ...order, ...result, ...(batchId !== undefined && { batchId }) },
  })
  const result: Result | undefined =
    now - order.at > MAX_LATE_MS
      ? { outcome: 'too-late', leftOut: 0 }
      : await sendOrder(needs, schedule, order, advance)
  if (result) await advanceSchedule(db, advance(result))
}

/**
 * Sends what is due now. Each schedule takes turns of its own with the callers at scarce resources, and one that fails does not hold
 * up the others. Stops early if `isClosed` says so.
 */
export async function runSchedules(
  needs: ScheduleRunnerNeeds,
  isClosed: () => boolean = () => false,
): Promise<void> {
  for (const schedule of await listDue(needs.db, needs.clock.now(), AT_ONCE)) {
    if (isClosed()) return
    await runAsCaller(`group_schedule ${schedule.id}`, () => runDue(needs, schedule)).catch((err: unknown) =>
      needs.log.error({ err, groupId: schedule.groupId }, 'the schedule of a device group could not be run'),
    )
  }
}

export interface ScheduleRunner {
  /** Checks now, because a schedule was changed. */
  wake(): void
  close(): Promise<void>
}

/** Sends the orders of all schedules when they are due, with any number of other replicas. */
export function startScheduleRunner(needs: ScheduleRunnerNeeds): ScheduleRunner {
  const { db, clock, log } = needs
  let timer: Timer | undefined
  let isClosed = false
  let running: Promise<void> = Promise.resolve()

  async function tick(): Promise<void> {
    try {
      await runSchedules(needs, () => isClosed)
    } catch (error) {
      log.error({ err: error }, 'the due schedules of device groups could not be read')
    }
    await plan()
  }

  async function plan(): Promise<void> {
    const earliest = await findEarliest(db).catch(() => undefined)
    if (isClosed) return
    const wait = earliest === undefined ? POLL_MS : Math.max(1_000, Math.min(POLL_MS, earliest - clock.now()))
    timer = clock.setTimeout(wake, wait)
  }

  function wake(): void {
    timer?.cancel()
    running = running.then(() => (isClosed ? undefined : tick()))
  }

  wake()
  return {
    wake,
    async close() {
      isClosed = true
      timer?.cancel()
      await running
    },
  }
}
