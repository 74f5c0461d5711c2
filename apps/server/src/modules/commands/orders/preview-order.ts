import type { ValveHold } from '@isotherm/contract/command'
import type { OrderPreview, OrderRefusal } from '@isotherm/contract/order-preview'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { resolveHold } from '../holds/hold-machine.ts'
import { listHolds } from '../holds/holds.pg.ts'
import { findOpeningRefusal } from '../limits/limits.ts'
import { previewNetworkLimits } from '../limits/network-limits.pg.ts'
import { type OrderRequest, type PlanNeeds, resolveOrder } from './plan-batch.ts'

/**
 * Previews an order at an instant (Unix ms): checks each valve itself, the limits above it and its hold. It takes no locks,
 * so the order is checked again when it is sent. Throws the errors of `resolveOrder`.
 */
export async function previewOrder(
  needs: PlanNeeds & { readonly db: Database },
  caller: Caller,
  order: OrderRequest,
  now: number,
): Promise<OrderPreview> {
  const { requested, switchedOff } = await resolveOrder(needs, caller, order, now)
  const { priority = 'manual', holdUntil } = order
  const { scope } = caller
  const refused = new Map<number, OrderRefusal>()
  for (const one of requested) {
    const refusal = findOpeningRefusal(one, switchedOff)
    if (refusal) refused.set(refusal.deviceId, refusal)
  }
  const deviceIds = requested.map(({ device }) => device.id)
  const current = await listHolds(needs.db, scope, {
    now,
    deviceIds,
    limiter: { page: 1, size: deviceIds.length },
  })
  const ends: ValveHold[] = []
  for (const hold of current.datalist) {
    const outcome = resolveHold(hold.priority, { priority, holds: holdUntil !== undefined })
    if (outcome.kind === 'accepted') ends.push(hold)
    else if (!refused.has(hold.deviceId)) {
      refused.set(hold.deviceId, { deviceId: hold.deviceId, reason: 'held', hold })
    }
  }
  const commands = requested.flatMap(({ device, openingPct }) =>
    refused.has(device.id)
      ? []
      : [{ deviceId: device.id, openingPct, previousPct: needs.findOpening(device.id) }],
  )
  const network = await previewNetworkLimits(needs.db, { priority, scope }, commands, needs.findOpening)
  for (const refusal of network.refused) refused.set(refusal.deviceId, refusal)
  return {
    refused: [...refused.values()],
    ends: ends.filter(({ deviceId }) => !refused.has(deviceId)),
    totals: network.totals,
  }
}
