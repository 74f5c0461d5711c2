import type { InputOf } from '@isotherm/contract/endpoint'
import type { publishMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import { DAY_MS } from '@isotherm/kernel/durations'
import { monotonicFactory, ulid } from 'ulid'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { DeviceGroupsService, Devices, DevicesService } from '../../devices/index.ts'
import { type AskedOpening, checkOpenings } from '../limits/limits.ts'
import type { NewBatch, NewCommand } from '../model/records.ts'
import { isSleeping, toValidityMs } from '../model/timing.ts'

export type Order = InputOf<typeof publishMqCtlCmd> & { readonly retryOf?: string }
/** What an order asks of valves, whatever else is said of it. */
export type Asking = Pick<Order, 'targets' | 'groupId' | 'openingPct' | 'priority' | 'holdUntil'>
export type Targets = readonly { readonly deviceId: number; readonly openingPct: number }[]

export interface PlanNeeds {
  readonly devices: Pick<DevicesService, 'getDevices'>
  readonly groups: Pick<DeviceGroupsService, 'getValves'>
  readonly listSwitchedOff: Devices['listSwitchedOff']
  /** Newest measured opening of a valve. */
  readonly findOpening: (deviceId: number) => number | undefined
}

/** What is to be stored of an order. */
export interface PlannedBatch {
  readonly batch: NewBatch
  readonly commands: readonly NewCommand[]
}

/** Throws request.malformed for a device that stands there twice. */
export function checkOnce(targets: readonly { readonly deviceId: number }[], name: string): void {
  if (new Set(targets.map(({ deviceId }) => deviceId)).size < targets.length) {
    throw new AppError('request.malformed', { detail: `${name}: a device stands there twice` })
  }
}

/** The valves an order is for, with their openings. */
async function findTargets(
  groups: PlanNeeds['groups'],
  caller: Caller,
  { targets, groupId, openingPct }: Asking,
): Promise<Targets> {
  if (targets && groupId === undefined && openingPct === undefined) return targets
  if (targets || groupId === undefined || openingPct === undefined) {
    throw new AppError('request.malformed', { detail: 'targets: either these, or groupId and openingPct' })
  }
  const { name, valveIds } = await groups.getValves(caller, groupId)
  if (valveIds.length === 0) throw new AppError('device.not-controllable', { device: name })
  return valveIds.map((deviceId) => ({ deviceId, openingPct }))
}

const LONGEST_HOLD_MS = 366 * DAY_MS

/** Throws request.malformed for a hold that is over before it began, or stands too long. */
export function checkHold({ holdUntil }: Pick<Asking, 'holdUntil'>, now: number): void {
  if (holdUntil === undefined || (holdUntil > now && holdUntil - now <= LONGEST_HOLD_MS)) return
  throw new AppError('request.malformed', { detail: 'holdUntil: within a year from now' })
}

/** What an order asks of which devices, and which of them are switched off. */
export interface ReadOrder {
  readonly asked: readonly AskedOpening[]
  readonly switchedOff: ReadonlySet<number>
}

/**
 * Looks up what an order given at an instant (Unix ms) is for. Throws device.not-found, device.not-controllable,
 * device-group.not-found, request.malformed.
 */
export async function readOrder(
  { devices, groups, listSwitchedOff }: PlanNeeds,
  caller: Caller,
  order: Asking,
  now: number,
): Promise<ReadOrder> {
  checkHold(order, now)
  const targets = await findTargets(groups, caller, order)
  checkOnce(targets, 'targets')
  const ids = targets.map(({ deviceId }) => deviceId)
  const known = await devices.getDevices(caller.scope, ids)
  const switchedOff = new Set(await listSwitchedOff(ids))
  const asked = targets.flatMap(({ openingPct }, index) => {
    const device = known[index]
    return device ? [{ device, openingPct }] : []
  })
  return { asked, switchedOff }
}

/**
 * Makes a batch of an order at an instant (Unix ms). Throws device.not-found, device.not-controllable,
 * device-group.not-found, request.malformed, command.outside-limits.
 */
export async function planBatch(
  needs: PlanNeeds,
  caller: Caller,
  order: Order,
  createdAt: number,
): Promise<PlannedBatch> {
  const { asked, switchedOff } = await readOrder(needs, caller, order, createdAt)
  checkOpenings(asked, switchedOff)
  const ahead = new Map<number, number>()
  // In the order asked for: by their ids commands are listed, and sent in their lanes, where each may wait for those ahead.
  const toNextId = monotonicFactory()
  const commands = asked.map(({ device, openingPct }): NewCommand => {
    const laneId = device.concentratorId ?? device.id
    const before = ahead.get(laneId) ?? 0
    ahead.set(laneId, before + 1)
    const sleeps = isSleeping(device)
    const validityMs = order.validityS === undefined ? toValidityMs(sleeps, before) : order.validityS * 1_000
    return {
      id: toNextId(createdAt),
      deviceId: device.id,
      laneId,
      sleeps,
      kind: 'valve.set',
      target: openingPct,
      previous: needs.findOpening(device.id),
      expiresAt: createdAt + validityMs,
      waitsItsTurn: !sleeps && order.validityS === undefined,
    }
  })
  return { batch: toBatch(caller, order, createdAt), commands }
}

/** A batch of an order that a caller gives at an instant (Unix ms). */
export function toBatch(
  { account: actor, accountId, scope }: Caller,
  order: Pick<Order, 'reason' | 'priority' | 'retryOf' | 'holdUntil'>,
  createdAt: number,
): NewBatch {
  const { reason, priority = 'manual', retryOf, holdUntil } = order
  const given = { id: ulid(createdAt), accountId, scope, actor, reason, priority, createdAt }
  return { ...given, retryOf, holdUntil }
}
