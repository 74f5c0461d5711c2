import { OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import { mayFlow } from '@isotherm/irrigation/run/run-machine'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { FindReading } from '../field.ts'
import { MAX_BY_HAND_MS } from '../limits.ts'
import { listClosings, type StoredRun } from '../storage/runs.pg.ts'
import type { StoredSource } from '../storage/sources.pg.ts'

/** A valve that is open although no step opened it: by a hold or another command, or on site. */
export interface OpenByHand {
  readonly valveId: number
  /** Its stated flow at the reported opening, m³/h. */
  readonly flowM3H: number
  /** Until when it counts if nothing else is reported: its device closes it, or its last reading is too old; Unix ms. */
  readonly untilMs: number
}

export interface ByHandNeeds {
  readonly db: Database
  readonly clock: Clock
  readonly findReading: FindReading
}

/**
 * Valves of the groups of a source whose newest reading of the last hour shows them open, without those of steps. After a step
 * was confirmed closed, earlier readings of its valve do not count.
 */
export async function listOpenByHand(
  { db, clock, findReading }: ByHandNeeds,
  { groups }: StoredSource,
  runs: readonly StoredRun[],
): Promise<readonly OpenByHand[]> {
  const now = clock.now()
  const own = new Set(
    runs.flatMap(({ steps }) =>
      steps.flatMap(({ state, valveIds }) => (mayFlow(state) ? [...valveIds] : [])),
    ),
  )
  const valves = new Map(groups.flatMap(({ settings }) => settings.valves.map((one) => [one.deviceId, one])))
  const open = [...valves.values()].flatMap(({ deviceId, flowM3H, maxS }) => {
    const reading = findReading(deviceId, 'valve.opening')
    if (own.has(deviceId) || !reading || reading.value <= OPENING_TOLERANCE_PCT) return []
    const untilMs = reading.ts + Math.min(MAX_BY_HAND_MS, maxS * 1000)
    if (reading.ts < now - MAX_BY_HAND_MS) return []
    return [{ valveId: deviceId, flowM3H: (flowM3H * reading.value) / 100, untilMs, ts: reading.ts }]
  })
  if (open.length === 0) return []
  const closings = await listClosings(
    db,
    open.map(({ valveId }) => valveId),
    now - MAX_BY_HAND_MS,
  )
  return open.flatMap(({ ts, ...one }) => (ts > (closings.get(one.valveId) ?? 0) ? [one] : []))
}
