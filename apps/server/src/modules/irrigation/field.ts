import type { IrrigationPlan } from '@isotherm/contract/irrigation'
import type { Conditions, GroupSpec, ProgramSpec } from '@isotherm/irrigation/plan/model'
import type { PlanRequest } from '@isotherm/irrigation/plan/plan-runs'
import { type ActiveRun, toLocalDay } from '@isotherm/irrigation/run/decide'
import { isStepOver } from '@isotherm/irrigation/run/run-machine'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../../platform/clock.ts'
import { createTimeZone, type TimeZone } from '../../platform/time-zone.ts'
import type { DeviceDirectory } from '../devices/index.ts'
import type { ForecastHour } from '../weather/index.ts'
import type { StoredRun } from './storage/runs.pg.ts'
import type { StoredGroup, StoredProgram, StoredSource } from './storage/sources.pg.ts'
import { type MeasuredDay, toDemand, toForecastDays, type WeatherDemand } from './weather/demand.ts'

/** Complete days whose weather adjusts the run times. */
const WEATHER_DAYS = 3
/** Latitude of a source without a position, degrees. */
const USUAL_LATITUDE = 35
/** The weather of complete days changes once a day. */
const CACHE_MS = HOUR_MS / 2
/** Cache time while the first forecast is read: a read takes some seconds. */
const READING_MS = 5_000

/** Newest value of a metric of a device, with its own instant, Unix ms. */
export type FindReading = (
  deviceId: number,
  metric: string,
) => { readonly value: number; readonly ts: number } | undefined

export interface FieldNeeds {
  readonly clock: Clock
  readonly directory: Pick<DeviceDirectory, 'entries'>
  /** Newest value of a metric of a device; undefined if this metric was measured before an instant (Unix ms). */
  readonly findMetric: (deviceId: number, metric: string, since?: number) => number | undefined
  readonly readWeather: (
    deviceIds: readonly number[],
    from: number,
    to: number,
  ) => Promise<readonly MeasuredDay[]>
  /**
   * Known hours of the forecast source for the node of a source, past ones too if it gives them; undefined while the first ones are read.
   * It must not wait for that source: all irrigation sources are watched one after the other.
   */
  readonly readForecast: (path: string) => Promise<readonly ForecastHour[] | undefined>
}

/** Finds newest values since an instant. A later message with other metrics makes no value newer. */
export const createFindMetric =
  (findReading: FindReading): FieldNeeds['findMetric'] =>
  (deviceId, metric, since = 0) => {
    const reading = findReading(deviceId, metric)
    return reading && reading.ts >= since ? reading.value : undefined
  }

export const toZone = ({ timeZone }: StoredSource): TimeZone => createTimeZone(timeZone)

export const toGroupSpec = ({ id, settings }: StoredGroup): GroupSpec => ({
  id,
  mode: settings.mode,
  wetPct: settings.wetPct,
  valves: settings.valves.map(({ deviceId, flowM3H, maxS }) => ({ id: deviceId, flowM3H, maxS })),
})

export const toProgramSpec = (id: number, plan: IrrigationPlan): ProgramSpec => ({
  ...plan,
  id,
  designEtMm: plan.designEtMm,
  cycle: plan.cycle,
})

export const isEnabled = ({ settings }: StoredProgram): boolean => settings.enabled

/** Stored runs as the decision sees them. */
export const toActiveRuns = (runs: readonly StoredRun[]): readonly ActiveRun[] =>
  runs.map(({ id, state, together, steps }) => ({
    id,
    state,
    together,
    steps: steps.map(({ openedMs, closeDueMs, closedMs, ...step }) => ({
      ...step,
      openedMs: openedMs ?? undefined,
      closeDueMs: closeDueMs ?? undefined,
      closedMs: closedMs ?? undefined,
    })),
  }))

/** Newest soil moisture of a group: the mean of its probes, %. */
export function findMoisture(
  { findMetric }: Pick<FieldNeeds, 'findMetric'>,
  { settings }: StoredGroup,
): number | undefined {
  const values = settings.valves.flatMap(({ deviceId }) => findMetric(deviceId, 'soil.moisture') ?? [])
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Reads what plans need of the field: weather, moisture, runs under way. */
export function createFieldReader(needs: FieldNeeds) {
  const weather = new Map<number, { readonly until: number; readonly demand: WeatherDemand | undefined }>()

  /** Sum of ET₀ and rain of the last complete days; undefined if no temperature is known. */
  async function readDemand(source: StoredSource): Promise<WeatherDemand | undefined> {
    const now = needs.clock.now()
    const cached = weather.get(source.id)
    if (cached && cached.until > now) return cached.demand
    const zone = toZone(source)
    const today = toLocalDay(zone, now)
    const stations = [...needs.directory.entries()].flatMap(({ id, kind, path }) =>
      kind === 'station' && path.startsWith(source.path) ? [id] : [],
    )
    const from = today - WEATHER_DAYS
    const [measured, hours] = await Promise.all([
      needs.readWeather(stations, from, today),
      needs.readForecast(source.path),
    ])
    const demand = toDemand(
      measured,
      toForecastDays(hours ?? [], (ms) => toLocalDay(zone, ms)),
      { from, until: today, latitudeDeg: source.settings.latitude ?? USUAL_LATITUDE },
    )
    weather.set(source.id, { until: now + (hours ? CACHE_MS : READING_MS), demand })
    return demand
  }

  async function readConditions(source: StoredSource): Promise<Conditions> {
    return {
      demand: await readDemand(source),
      moisturePct: new Map(
        source.groups.flatMap((group) => {
          const moisture = findMoisture(needs, group)
          return moisture === undefined ? [] : [[group.id, moisture] as const]
        }),
      ),
      pausedUntil: source.pausedUntilMs ?? undefined,
      isLeaking: source.leakMs !== null && source.settings.leakBlocks !== false,
      isHalted: source.haltedMs !== null,
    }
  }

  return {
    readDemand,
    /** What a plan of the source needs, without programs and span. `usedTodayM3`: water of today, m³. */
    async toRequest(
      source: StoredSource,
      runs: readonly StoredRun[],
      usedTodayM3: number,
    ): Promise<Omit<PlanRequest, 'programs' | 'from' | 'until'>> {
      const { settings, groups } = source
      const { latitude, longitude } = settings
      const zone = toZone(source)
      const now = needs.clock.now()
      const left = runs.flatMap(({ steps }) => steps.filter(({ state }) => !isStepOver(state)))
      const promisedM3 = left.reduce(
        (sum, { flowM3H, durationS, volumeM3 }) => sum + Math.max(0, (flowM3H * durationS) / 3600 - volumeM3),
        0,
      )
      return {
        source: settings,
        groups: groups.map(toGroupSpec),
        clock: zone,
        position: latitude === undefined || longitude === undefined ? undefined : { latitude, longitude },
        conditions: await readConditions(source),
        busy: left.map(({ valveIds, flowM3H, plannedMs, durationS, closeDueMs, openedMs }) => {
          const startMs = openedMs ?? plannedMs
          return {
            valveIds,
            flowM3H,
            startMs,
            endMs: Math.max(now, closeDueMs ?? startMs + durationS * 1000),
          }
        }),
        usedM3: new Map([[toLocalDay(zone, now), usedTodayM3 + promisedM3]]),
      }
    },
  }
}

export type FieldReader = ReturnType<typeof createFieldReader>
