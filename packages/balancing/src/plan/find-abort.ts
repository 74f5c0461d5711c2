/** Limits of one wave of a plan, as they are stored. */
export interface WaveLimits {
  /** Minimum flow by device, m³/h. */
  readonly minFlowM3H: readonly (readonly [deviceId: number, flowM3H: number])[]
  /** Allowed range of the station's head, kPa. */
  readonly minHeadKpa: number
  readonly maxHeadKpa: number
}

/** Limits of a round. */
export interface RoundLimits {
  /** Maximum share of unanswered commands, 0 to 1. */
  readonly maxUnansweredShare: number
  /** Rooms below the legal limit when the round was planned. */
  readonly coldRooms: number
}

/** Readings of a loop while it settles. */
export interface LoopReadings {
  /** Flow by device, m³/h; absent without a trusted reading. */
  readonly flowM3H: ReadonlyMap<number, number>
  /** Head at the station, kPa; undefined without a trusted reading. */
  readonly headKpa: number | undefined
  /** Rooms below the legal limit now. */
  readonly coldRooms: number
}

export interface CommandCount {
  readonly given: number
  /** Commands that ended without a confirmation. */
  readonly unanswered: number
  /** Those of them whose valve answered and then reported another position than the ordered one. */
  readonly missed?: number
}

/** Why a campaign aborts itself. The contract's `campaignAbort` adds the reason `refused`, which comes from commands. */
export type AbortReason =
  | { readonly kind: 'unanswered'; readonly share: number }
  | { readonly kind: 'head-outside'; readonly headKpa: number }
  | { readonly kind: 'starved'; readonly deviceIds: number[] }
  | { readonly kind: 'cold-rooms'; readonly before: number; readonly now: number }
  | { readonly kind: 'not-measured' }

/** Below this share of measured flows a loop counts as not measured. */
const MIN_MEASURED = 0.5
/** A single lost valve is accepted in the smallest wave: the flow of its building shows whether that does harm. */
const LOST_VALVES = 1
/**
 * Valves that answer and do not arrive are found and left out by the verdict on the round. Above this share of all
 * commands, and this number, the cause is a common one: no power at the motors, or wrong feedback.
 */
const MAX_MISSED = 0.25
const MISSED_VALVES = 2

/**
 * Additional cold rooms that are accepted. People open windows while a round settles, and the number of rooms near the
 * limit varies by about its square root.
 */
const allowedColder = (before: number): number => Math.max(1, Math.sqrt(before))

/** Whether too many commands of a wave, a round or a rollback have no answer, or too many valves did not arrive. */
export const hasTooManyUnanswered = (
  { given, unanswered, missed = 0 }: CommandCount,
  maxUnansweredShare: number,
): boolean =>
  unanswered - missed > Math.max(LOST_VALVES, maxUnansweredShare * given) ||
  missed > Math.max(MISSED_VALVES, MAX_MISSED * given)

/**
 * The reason to abort a campaign after a wave or a round; undefined if it may continue. The rules are checked in order of
 * severity: commands, head, flows, rooms, and last whether enough was measured to judge at all. `commands` counts those of
 * the round so far. Worked examples: find-abort.test.ts.
 */
export function findAbort(
  { maxUnansweredShare, coldRooms: before }: RoundLimits,
  { minFlowM3H, minHeadKpa, maxHeadKpa }: WaveLimits,
  { flowM3H, headKpa, coldRooms: now }: LoopReadings,
  commands: CommandCount,
): AbortReason | undefined {
  if (hasTooManyUnanswered(commands, maxUnansweredShare))
    return { kind: 'unanswered', share: commands.unanswered / commands.given }
  if (headKpa !== undefined && (headKpa < minHeadKpa || headKpa > maxHeadKpa))
    return { kind: 'head-outside', headKpa }
  const deviceIds = minFlowM3H.flatMap(([deviceId, min]) => {
    const flow = flowM3H.get(deviceId)
    return flow !== undefined && flow < min ? deviceId : []
  })
  if (deviceIds.length > 0) return { kind: 'starved', deviceIds }
  if (now > before + allowedColder(before)) return { kind: 'cold-rooms', before, now }
  const measured = minFlowM3H.filter(([deviceId]) => flowM3H.has(deviceId)).length
  const isMeasured = headKpa !== undefined && measured >= MIN_MEASURED * minFlowM3H.length
  return isMeasured ? undefined : { kind: 'not-measured' }
}
