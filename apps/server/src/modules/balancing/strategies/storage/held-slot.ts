import { slotLevel } from '@isotherm/contract/balancing/campaign'
import { z } from 'zod'
import { isLowered } from '../../loop/slot-levels.ts'
import type { RoundPlan } from '../../plan/planner.ts'
import { type Border, isSameLevel } from '../timeline/timeline.ts'

/** What a loop was brought to, as it is kept. */
const heldSlot = z.object({
  /** The border that each group was brought over. */
  groups: z.array(z.object({ at: z.number(), level: slotLevel })),
  /** Outside when it was solved, °C. */
  outdoorC: z.number().optional(),
  /** Valves, or the pump, that could not be brought all the way then: excluded for a while, or told to go no farther at once. */
  left: z.array(z.number()),
})
export type HeldSlot = z.infer<typeof heldSlot>

/** null for what this version does not read: it is brought there anew. */
export const readHeld = (json: unknown): HeldSlot | null => heldSlot.nullable().catch(null).parse(json)

/** Colder than it was solved for by this, frost is held away no more, K. */
const COLDER_K = 3
const PASSING: ReadonlySet<string> = new Set(['held', 'switched-off', 'absent', 'not-measured'])

/** What a loop will have been brought to once a plan is carried out. */
export const toHeld = (
  groups: readonly Border[],
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

/** Whether all groups were brought to what is wanted of them. */
export const isBrought = (held: HeldSlot | null, wanted: readonly Border[]): boolean =>
  held !== null &&
  held.groups.length === wanted.length &&
  wanted.every(({ at, level }, group) => {
    const border = held.groups[group]
    return border?.at === at && isSameLevel(border.level, level)
  })

export const hasLowered = ({ groups }: HeldSlot): boolean => groups.some(({ level }) => isLowered(level))

/** Whether who is to be cold needs more to be kept from frost than it was given. */
export const isColder = (held: HeldSlot, outdoorC: number | undefined): boolean =>
  held.outdoorC !== undefined && outdoorC !== undefined && outdoorC <= held.outdoorC - COLDER_K

/** Whether a plan moves a valve that was left, or the pump. */
export const movesLeft = ({ left }: HeldSlot, { steps }: Pick<RoundPlan, 'steps'>): boolean => {
  const isLeft = new Set(left)
  return steps.some(({ moves, pump }) =>
    [...moves, ...(pump ? [pump] : [])].some(({ deviceId }) => isLeft.has(deviceId)),
  )
}
