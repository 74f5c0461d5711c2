import { OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import { mayFlow } from '@isotherm/irrigation/run/run-machine'
import { type SourceReading, watchDryRun, watchLeak } from '@isotherm/irrigation/watch/latch'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { toLimits } from '../limits.ts'
import { changeProtection, haltSource, listGroupValves, readQuiet } from '../storage/protection.pg.ts'
import type { StoredRun } from '../storage/runs.pg.ts'
import type { StoredSource } from '../storage/sources.pg.ts'
import type { RunnerNeeds } from './tick.ts'

/** Time in which water still moves after the last valve closed, or in which a starting pump fills the pipes, ms. */
const SETTLE_MS = 30_000
/**
 * Time after its last reading for which a valve counts as opened by hand, ms: four of the usual report periods of 900
 * s. The last reading of a dead valve must not hide a leak forever.
 */
const MAX_BY_HAND_MS = HOUR_MS

/** Reading of the meter at a source. Its instant is that of the flow: the controller may report other metrics later. */
function readMeter({ findReading }: RunnerNeeds, stationId: number): SourceReading | undefined {
  const flow = findReading(stationId, 'heat.flow')
  if (!flow) return undefined
  const runs = ['pump.speed', 'pump.power'].flatMap((metric) => findReading(stationId, metric) ?? [])
  const inlet = findReading(stationId, 'pressure.return')
  return {
    atMs: flow.ts,
    flowM3H: flow.value,
    isPumping: runs.length === 0 ? undefined : runs.some(({ value }) => value > 0),
    ...(inlet ? { inletKpa: inlet.value, inletMs: inlet.ts } : {}),
  }
}

/**
 * Records a leak until it is released: water flows although no valve of the pump house is open, neither by runs nor
 * by hand.
 */
async function findLeak(
  needs: RunnerNeeds,
  source: StoredSource,
  reading: SourceReading,
  stationId: number,
): Promise<void> {
  const { db, clock, findMetric } = needs
  const { id, settings, leakSinceMs } = source
  const limits = toLimits(settings)
  if (source.leakMs !== null) return
  const since = clock.now() - MAX_BY_HAND_MS
  const isByHand = async () =>
    (await listGroupValves(db, stationId)).some(
      (deviceId) => (findMetric(deviceId, 'valve.opening', since) ?? 0) > OPENING_TOLERANCE_PCT,
    )
  let quietMs = Number.POSITIVE_INFINITY
  if (reading.flowM3H > limits.leakM3H) {
    const { isOpen, closedMs } = await readQuiet(db, stationId, clock.now())
    if (!isOpen && !(await isByHand())) quietMs = closedMs + SETTLE_MS
  }
  const { sinceMs, isReached } = watchLeak(reading, limits, quietMs, leakSinceMs ?? undefined)
  if (isReached)
    await changeProtection(db, id, {
      leak_ms: sinceMs ?? reading.atMs,
      leak_m3_h: reading.flowM3H,
      leak_since_ms: null,
    })
  else if ((sinceMs ?? null) !== leakSinceMs)
    await changeProtection(db, id, { leak_since_ms: sinceMs ?? null })
}

/** Halts a source whose pump runs without water while its valves are open. */
async function findDryRun(
  needs: RunnerNeeds,
  source: StoredSource,
  reading: SourceReading,
  runs: readonly StoredRun[],
): Promise<void> {
  const { db, clock } = needs
  const { id, drySinceMs, settings } = source
  if (source.haltedMs !== null) return
  const opened = runs.flatMap(({ steps }) =>
    steps.flatMap(({ state, openedMs }) => (state === 'opening' || state === 'open' ? (openedMs ?? 0) : [])),
  )
  // While valves close, and between groups, the pump may stop or hold its pressure without flow.
  if (opened.length === 0) {
    if (drySinceMs !== null) await changeProtection(db, id, { dry_since_ms: null })
    return
  }
  const fromMs = Math.min(...opened) + SETTLE_MS
  const { sinceMs, isReached } = watchDryRun(reading, toLimits(settings), fromMs, drySinceMs ?? undefined)
  if (isReached) await haltSource(db, source, 'dry-run', clock.now())
  else if ((sinceMs ?? null) !== drySinceMs) await changeProtection(db, id, { dry_since_ms: sinceMs ?? null })
}

/** Detects leaks and pumps without water by the meter of a source. */
export async function protectSource(
  needs: RunnerNeeds,
  source: StoredSource,
  runs: readonly StoredRun[],
): Promise<void> {
  const { stationId } = source.settings
  const reading = stationId === undefined ? undefined : readMeter(needs, stationId)
  if (stationId === undefined || !reading) return
  const isFlowing = runs.some(({ steps }) => steps.some(({ state }) => mayFlow(state)))
  if (!isFlowing) await findLeak(needs, source, reading, stationId)
  await findDryRun(needs, source, reading, runs)
}
