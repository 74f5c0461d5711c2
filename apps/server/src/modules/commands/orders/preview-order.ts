import type { ValveHold } from '@isotherm/contract/command'
import type { OrderPreview, OrderRefusal } from '@isotherm/contract/order-preview'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { meetHold } from '../holds/hold-machine.ts'
import { listHolds } from '../holds/holds.pg.ts'
import { judgeOpening } from '../limits/limits.ts'
import { previewNetworkLimits } from '../limits/network-limits.pg.ts'
import { type Asking, type PlanNeeds, readOrder } from './plan-batch.ts'

/**
 * What an order would meet if it were given at an instant (Unix ms). Each valve is judged by what would refuse it:
 * itself, the limits above it, a hold. It locks nothing and promises nothing: the order is judged again when given.
 * Throws what looking up the order throws.
 */
export async function previewOrder(
  needs: PlanNeeds & { readonly db: Database },
  caller: Caller,
  order: Asking,
  now: number,
): Promise<OrderPreview> {
  const { asked, switchedOff } = await readOrder(needs, caller, order, now)
  const { priority = 'manual', holdUntil } = order
  const { scope } = caller
  const refused = new Map<number, OrderRefusal>()
  for (const one of asked) {
    const refusal = judgeOpening(one, switchedOff)
    if (refusal) refused.set(refusal.deviceId, refusal)
  }
  const deviceIds = asked.map(({ device }) => device.id)
  const standing = await listHolds(needs.db, scope, {
    now,
    deviceIds,
    limiter: { page: 1, size: deviceIds.length },
  })
  const ends: ValveHold[] = []
  for (const hold of standing.datalist) {
    const outcome = meetHold(hold.priority, { priority, holds: holdUntil !== undefined })
    if (outcome.kind === 'taken') ends.push(hold)
    else if (!refused.has(hold.deviceId)) {
      refused.set(hold.deviceId, { deviceId: hold.deviceId, reason: 'held', hold })
    }
  }
  const commands = asked.flatMap(({ device, openingPct }) =>
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
