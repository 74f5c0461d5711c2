import { isDeepStrictEqual } from 'node:util'
import { OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import { mayFlow } from '@isotherm/irrigation/run/run-machine'
import {
  type DrySince,
  type Shown,
  type SourceReading,
  watchDryRun,
  watchLeak,
} from '@isotherm/irrigation/watch/latch'
import { MAX_BY_HAND_MS, toLimits } from '../limits.ts'
import { readSource } from '../sensors/choose-sensors.ts'
import { changeProtection, haltSource, listGroupValves, readQuiet } from '../storage/protection.pg.ts'
import type { StoredRun } from '../storage/runs.pg.ts'
import type { StoredCondition, StoredSource } from '../storage/sources.pg.ts'
import type { RunnerNeeds } from './tick.ts'

/** Time in which water still moves after the last valve closed, or in which a starting pump fills the pipes, ms. */
const SETTLE_MS = 30_000

const notShown: Shown = { sinceMs: undefined, seenMs: undefined }
const toShown = ({ sinceMs, seenMs }: StoredCondition): Shown => ({
  sinceMs: sinceMs ?? undefined,
  seenMs: seenMs ?? undefined,
})

/**
 * Records a leak until it is released: water flows although no valve of the pump house is open, neither by runs nor
 * by hand.
 */
async function findLeak(
  needs: RunnerNeeds,
  source: StoredSource,
  reading: SourceReading & { readonly flowM3H: number },
): Promise<void> {
  const { db, clock, findMetric } = needs
  const { id, settings, leakSince } = source
  const limits = toLimits(settings, needs.findPeriodS)
  if (source.leakMs !== null) return
  const since = clock.now() - MAX_BY_HAND_MS
  const isByHand = async () =>
    (await listGroupValves(db, settings)).some(
      (deviceId) => (findMetric(deviceId, 'valve.opening', since) ?? 0) > OPENING_TOLERANCE_PCT,
    )
  let quietMs = Number.POSITIVE_INFINITY
  if (reading.flowM3H > limits.leakM3H) {
    const { isOpen, closedMs } = await readQuiet(db, settings, clock.now())
    if (!isOpen && !(await isByHand())) quietMs = closedMs + SETTLE_MS
  }
  const { sinceMs, seenMs, isReached } = watchLeak(reading, limits, quietMs, toShown(leakSince))
  if (isReached)
    await changeProtection(db, id, {
      leak_ms: sinceMs ?? reading.atMs,
      leak_m3_h: reading.flowM3H,
      leak_since_ms: null,
      leak_seen_ms: null,
    })
  else if ((sinceMs ?? null) !== leakSince.sinceMs || (seenMs ?? null) !== leakSince.seenMs)
    await changeProtection(db, id, { leak_since_ms: sinceMs ?? null, leak_seen_ms: seenMs ?? null })
}

/** Halts a source whose pump runs without water while its valves are open. */
async function findDryRun(
  needs: RunnerNeeds,
  source: StoredSource,
  reading: SourceReading,
  runs: readonly StoredRun[],
): Promise<void> {
  const { db, clock } = needs
  const { id, drySince, lowSince, settings } = source
  if (source.haltedMs !== null) return
  const before = { still: toShown(drySince), low: toShown(lowSince) }
  const write = async ({ still, low }: DrySince) => {
    if (isDeepStrictEqual({ still, low }, before)) return
    await changeProtection(db, id, {
      dry_since_ms: still.sinceMs ?? null,
      dry_seen_ms: still.seenMs ?? null,
      low_since_ms: low.sinceMs ?? null,
      low_seen_ms: low.seenMs ?? null,
    })
  }
  const opened = runs.flatMap(({ steps }) =>
    steps.flatMap(({ state, openedMs }) => (state === 'opening' || state === 'open' ? (openedMs ?? 0) : [])),
  )
  // While valves close, and between groups, the pump may stop or hold its pressure without flow.
  if (opened.length === 0) return write({ still: notShown, low: notShown })
  const fromMs = Math.min(...opened) + SETTLE_MS
  const { isReached, ...since } = watchDryRun(reading, toLimits(settings, needs.findPeriodS), fromMs, before)
  if (isReached) await haltSource(db, source, 'dry-run', clock.now())
  else await write(since)
}

/** Detects leaks and pumps without water by the meter and the sensor of pressure at a source. */
export async function protectSource(
  needs: RunnerNeeds,
  source: StoredSource,
  runs: readonly StoredRun[],
): Promise<void> {
  const reading = readSource(needs.findReading, source.settings)
  if (!reading) return
  const { flowM3H } = reading
  const isFlowing = runs.some(({ steps }) => steps.some(({ state }) => mayFlow(state)))
  if (!isFlowing && flowM3H !== undefined) await findLeak(needs, source, { ...reading, flowM3H })
  await findDryRun(needs, source, reading, runs)
}
