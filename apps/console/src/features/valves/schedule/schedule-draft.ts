import {
  areDistinct,
  type GroupSchedule,
  type WeeklyOrder,
} from '@isotherm/contract/endpoints/control/group-schedules'

/** What a user changed of a schedule, and the version that they saw. */
export interface ScheduleDraft {
  readonly version: number
  readonly enabled: boolean
  readonly orders: readonly WeeklyOrder[]
}

export const toDraft = ({ version, enabled, orders }: GroupSchedule): ScheduleDraft => ({
  version,
  enabled,
  orders,
})

/** Why a draft cannot be saved. */
export function findFault({
  enabled,
  orders,
}: ScheduleDraft): 'no-days' | 'same-time' | 'no-orders' | undefined {
  if (orders.some(({ days }) => days.length === 0)) return 'no-days'
  if (!areDistinct(orders)) return 'same-time'
  return enabled && orders.length === 0 ? 'no-orders' : undefined
}
