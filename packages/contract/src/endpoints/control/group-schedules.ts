import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { refersTo } from '../../refs.ts'

const openingPct = z.number().min(0).max(100)
const groupId = refersTo('device-group', z.number().int().positive())

/** An order that repeats every week: at a local time of some weekdays (0 is Monday) all valves of the group get an opening. */
export const weeklyOrder = z.object({
  days: z.array(z.number().int().min(0).max(6)).min(1).max(7),
  minute: z.number().int().min(0).max(1_439),
  openingPct,
})
export type WeeklyOrder = z.infer<typeof weeklyOrder>

/** Whether no two orders of a week are for the same minute. */
export function areDistinct(orders: readonly WeeklyOrder[]): boolean {
  const times = orders.flatMap(({ days, minute }) => days.map((day) => `${day} ${minute}`))
  return new Set(times).size === times.length
}

/**
 * Outcome of an order when it was due. `too-late`: the server was down for too long. `no-access`: the account that
 * set the schedule may no longer control the group. `none-possible`: every valve refused it.
 */
export const scheduleOutcome = z.enum(['sent', 'too-late', 'no-access', 'none-possible', 'refused'])
export type ScheduleOutcome = z.infer<typeof scheduleOutcome>

export const groupSchedule = z.object({
  groupId: z.number().int().positive(),
  /** 0 if the group has no schedule yet. */
  version: z.number().int().nonnegative(),
  enabled: z.boolean(),
  orders: z.array(weeklyOrder),
  /** Zone of the local times: that of the company. */
  timeZone: z.string(),
  /** Account in whose name the orders are sent: who set the schedule last. */
  actor: z.string().optional(),
  /** The coming orders, earliest first; also those of a schedule that is off. */
  next: z.array(z.object({ at: instant, openingPct })),
  last: z
    .object({
      at: instant,
      openingPct,
      outcome: scheduleOutcome,
      /** Valves that the order left out, because of a hold or a limit. */
      leftOut: z.number().int().nonnegative(),
      batchId: z.string().optional(),
    })
    .optional(),
  abilities: z.array(z.enum(['set'])),
})
export type GroupSchedule = z.infer<typeof groupSchedule>

export const getGroupSchedule = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/GetGroupSchedule',
  summary: 'Weekly schedule of a device group, its coming orders and the result of the last one.',
  access: requiresPermission('pg-groupctl'),
  effect: 'reads',
  input: z.object({ groupId }),
  output: groupSchedule,
  errors: ['device-group.not-found'],
})

export const setGroupSchedule = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/CtlDev/SetGroupSchedule',
  summary:
    'Sets the weekly schedule of a device group. Its orders are sent with the priority of schedules in the name of the caller.',
  access: requiresPermission('pe-fmcontrol'),
  effect: 'changes',
  apiKeys: 'refused',
  input: z.object({
    groupId,
    version: z.number().int().nonnegative(),
    enabled: z.boolean(),
    orders: z.array(weeklyOrder).max(50).refine(areDistinct),
  }),
  output: groupSchedule,
  errors: ['device-group.not-found', 'device.not-controllable', 'entity.stale'],
})

export const groupSchedulesEndpoints = { getGroupSchedule, setGroupSchedule } as const
