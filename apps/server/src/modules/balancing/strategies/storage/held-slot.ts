import { slotLevel } from '@isotherm/contract/balancing/campaign'
import { z } from 'zod'
import { isLowered } from '../../loop/slot-levels.ts'
import type { RoundPlan } from '../../plan/planner.ts'
import { type Boundary, isSameLevel } from '../timeline/timeline.ts'

/** Levels that a loop was brought to, as stored. */
const heldSlot = z.object({
  /** The boundary that each group was brought over. */
  groups: z.array(z.object({ at: z.number(), level: slotLevel })),
  /** Outdoor temperature of the plan, °C. */
  outdoorC: z.number().optional(),
  /**
   * Valves, or the pump, that could not reach their targets then: excluded for a while, or limited by their maximum
   * move at once.
   */
  left: z.array(z.number()),
})
export type HeldSlot = z.infer<typeof heldSlot>

/** null for JSON that this version cannot read: the loop is then brought to its levels again. */
export const readHeld = (json: unknown): HeldSlot | null => heldSlot.nullable().catch(null).parse(json)

/** Frost protection is planned again if the weather is colder than in the plan by this, K. */
const COLDER_K = 3
const PASSING: ReadonlySet<string> = new Set([
  'held',
  'switched-off',
  'absent',
  'not-measured',
  'starved-before',
  'unanswered-before',
])

/** Levels of a loop once a plan is carried out. */
export const toHeld = (
  groups: readonly Boundary[],
  outdoorC: number | undefined,
  { members, heldBack = [] }: Pick<RoundPlan, 'members' | 'heldBack'>,
): HeldSlot => ({
  groups: [...groups],
  ...(outdoorC === undefined ? {} : { outdoorC }),
  left: [
    ...members.flatMap(({ deviceId, excluded }) => (excluded && PASSING.has(excluded) ? deviceId : [])),
    ...heldBack,
  ],
})

/** Whether all groups have reached their target levels. */
export const isBrought = (held: HeldSlot | null, wanted: readonly Boundary[]): boolean =>
  held !== null &&
  held.groups.length === wanted.length &&
  wanted.every(({ at, level }, group) => {
    const boundary = held.groups[group]
    return boundary?.at === at && isSameLevel(boundary.level, level)
  })

export const hasLowered = ({ groups }: HeldSlot): boolean => groups.some(({ level }) => isLowered(level))

/** Whether the weather is so much colder that groups need more heat against frost. */
export const isColder = (held: HeldSlot, outdoorC: number | undefined): boolean =>
  held.outdoorC !== undefined && outdoorC !== undefined && outdoorC <= held.outdoorC - COLDER_K

/** Whether a plan moves a valve that was left over, or the pump. */
export const movesLeftOver = ({ left }: HeldSlot, { steps }: Pick<RoundPlan, 'steps'>): boolean => {
  const isLeft = new Set(left)
  return steps.some(({ moves, pump }) =>
    [...moves, ...(pump ? [pump] : [])].some(({ deviceId }) => isLeft.has(deviceId)),
  )
}
