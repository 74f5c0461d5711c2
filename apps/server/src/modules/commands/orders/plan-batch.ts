import type { InputOf } from '@isotherm/contract/endpoint'
import type { publishMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import { DAY_MS } from '@isotherm/kernel/durations'
import { monotonicFactory, ulid } from 'ulid'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { DeviceGroupsService, Devices, DevicesService } from '../../devices/index.ts'
import { checkOpenings, type RequestedOpening } from '../limits/limits.ts'
import type { NewBatch, NewCommand } from '../model/records.ts'
import { isSleeping, toRadioValidityMs, toValidityMs } from '../model/timing.ts'

export type Order = InputOf<typeof publishMqCtlCmd> & {
  readonly retryOf?: string
  /** The devices close the valves after so many seconds. */
  readonly maxOpenS?: number
}
/** The part of an order that a preview checks. */
export type OrderRequest = Pick<Order, 'targets' | 'groupId' | 'openingPct' | 'priority' | 'holdUntil'>
export type Targets = readonly { readonly deviceId: number; readonly openingPct: number }[]

export interface PlanNeeds {
  readonly devices: Pick<DevicesService, 'getDevices'>
  readonly groups: Pick<DeviceGroupsService, 'getValves'>
  readonly listSwitchedOff: Devices['listSwitchedOff']
  /** Those that listen only after a report of their own. Without it none does. */
  readonly listRadioDevices?: Devices['listRadioDevices'] | undefined
  /** Newest measured opening of a valve. */
  readonly findOpening: (deviceId: number) => number | undefined
  /** Longest time that a valve may be open, s; valves without one are absent. Without it no valve has one. */
  readonly listLongestOpenings?:
    | ((deviceIds: readonly number[]) => Promise<ReadonlyMap<number, number>>)
    | undefined
}

/** A batch and its commands, to be stored. */
export interface PlannedBatch {
  readonly batch: NewBatch
  readonly commands: readonly NewCommand[]
}

/** Throws request.malformed for a device that is listed twice. */
export function requireDistinctDevices(
  targets: readonly { readonly deviceId: number }[],
  name: string,
): void {
  if (new Set(targets.map(({ deviceId }) => deviceId)).size < targets.length) {
    throw new AppError('request.malformed', { detail: `${name}: a device is listed twice` })
  }
}

/** The valves of an order, with their openings. */
async function findTargets(
  groups: PlanNeeds['groups'],
  caller: Caller,
  { targets, groupId, openingPct }: OrderRequest,
): Promise<Targets> {
  if (targets && groupId === undefined && openingPct === undefined) return targets
  if (targets || groupId === undefined || openingPct === undefined) {
    throw new AppError('request.malformed', { detail: 'targets: either these, or groupId and openingPct' })
  }
  const { name, valveIds } = await groups.getValves(caller, groupId)
  if (valveIds.length === 0) throw new AppError('device.not-controllable', { device: name })
  return valveIds.map((deviceId) => ({ deviceId, openingPct }))
}

const MAX_HOLD_MS = 366 * DAY_MS

/** Throws request.malformed for a hold that ends in the past or lasts longer than a year. */
export function checkHold({ holdUntil }: Pick<OrderRequest, 'holdUntil'>, now: number): void {
  if (holdUntil === undefined || (holdUntil > now && holdUntil - now <= MAX_HOLD_MS)) return
  throw new AppError('request.malformed', { detail: 'holdUntil: within a year from now' })
}

/** Devices and openings of an order, and the devices whose control is disabled. */
export interface ResolvedOrder {
  readonly requested: readonly RequestedOpening[]
  readonly switchedOff: ReadonlySet<number>
}

/**
 * Finds the devices of an order at an instant (Unix ms). Throws device.not-found, device.not-controllable,
 * device-group.not-found, request.malformed.
 */
export async function resolveOrder(
  { devices, groups, listSwitchedOff }: PlanNeeds,
  caller: Caller,
  order: OrderRequest,
  now: number,
): Promise<ResolvedOrder> {
  checkHold(order, now)
  const targets = await findTargets(groups, caller, order)
  requireDistinctDevices(targets, 'targets')
  const ids = targets.map(({ deviceId }) => deviceId)
  const known = await devices.getDevices(caller.scope, ids)
  const switchedOff = new Set(await listSwitchedOff(ids))
  const requested = targets.flatMap(({ openingPct }, index) => {
    const device = known[index]
    return device ? [{ device, openingPct }] : []
  })
  return { requested, switchedOff }
}

/**
 * Creates the batch of an order at an instant (Unix ms). Throws device.not-found, device.not-controllable,
 * device-group.not-found, request.malformed, command.outside-limits.
 */
export async function planBatch(
  needs: PlanNeeds,
  caller: Caller,
  order: Order,
  createdAt: number,
): Promise<PlannedBatch> {
  const { requested, switchedOff } = await resolveOrder(needs, caller, order, createdAt)
  checkOpenings(requested, switchedOff)
  const longest = await needs.listLongestOpenings?.(requested.map(({ device }) => device.id))
  /** The device closes the valve after this. */
  const toMaxOpenS = (deviceId: number, openingPct: number): number | undefined => {
    const maxOpenS = Math.min(order.maxOpenS ?? Infinity, longest?.get(deviceId) ?? Infinity)
    return openingPct > 0 && Number.isFinite(maxOpenS) ? maxOpenS : undefined
  }
  const radio = await needs.listRadioDevices?.(requested.map(({ device }) => device.id))
  const ahead = new Map<number, number>()
  // Ids increase in the order of the request: commands are listed and sent by id, each after the earlier ones of its queue.
  const toNextId = monotonicFactory()
  const commands = requested.map(({ device, openingPct }): NewCommand => {
    const queueId = device.concentratorId ?? device.id
    const before = ahead.get(queueId) ?? 0
    ahead.set(queueId, before + 1)
    const sleeps = isSleeping(device)
    const isRadio = radio?.has(device.id) === true
    const defaultMs = isRadio ? toRadioValidityMs(device.periodS) : toValidityMs(sleeps, before)
    const validityMs = order.validityS === undefined ? defaultMs : order.validityS * 1_000
    return {
      id: toNextId(createdAt),
      deviceId: device.id,
      queueId,
      sleeps,
      kind: 'valve.set',
      target: openingPct,
      previous: needs.findOpening(device.id),
      maxOpenS: toMaxOpenS(device.id, openingPct),
      expiresAt: createdAt + validityMs,
      hasDefaultValidity: !sleeps && !isRadio && order.validityS === undefined,
    }
  })
  return { batch: toBatch(caller, order, createdAt), commands }
}

/** The batch record of a caller's order at an instant (Unix ms). */
export function toBatch(
  { account: actor, accountId, scope }: Caller,
  order: Pick<Order, 'reason' | 'priority' | 'retryOf' | 'holdUntil'>,
  createdAt: number,
): NewBatch {
  const { reason, priority = 'manual', retryOf, holdUntil } = order
  const given = { id: ulid(createdAt), accountId, scope, actor, reason, priority, createdAt }
  return { ...given, retryOf, holdUntil }
}
