import type { IrrigationPlan } from '@isotherm/contract/irrigation'
import type { Conditions, GroupSpec, ProgramSpec } from '@isotherm/irrigation/plan/model'
import type { PlanRequest } from '@isotherm/irrigation/plan/plan-runs'
import { type ActiveRun, toLocalDay } from '@isotherm/irrigation/run/decide'
import { toBusy, toUsedM3 } from '@isotherm/irrigation/run/under-way'
import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { createTimeZone, type TimeZone } from '../../platform/time-zone.ts'
import type { DeviceDirectory } from '../devices/index.ts'
import type { ForecastHour } from '../weather/index.ts'
import { MAX_MOISTURE_MS } from './limits.ts'
import { findPosition } from './position.ts'
import type { OpenByHand } from './run/by-hand.ts'
import { listProbeIds } from './sensors/choose-sensors.ts'
import type { StoredRun } from './storage/runs.pg.ts'
import type { StoredGroup, StoredProgram, StoredSource } from './storage/sources.pg.ts'
import { type MeasuredDay, toDemand, toForecastDays, type WeatherDemand } from './weather/demand.ts'

/** Complete days whose weather adjusts the run times. */
const WEATHER_DAYS = 3
/** Latitude of a source without a position, degrees. */
const USUAL_LATITUDE = 35
/** The weather of complete days changes once a day. */
const CACHE_MS = HOUR_MS / 2
/** Cache time of a field whose weather is not known yet: its stations are new, or their history is being stored. */
const UNKNOWN_MS = MINUTE_MS
/** Cache time while the first forecast is read: a read takes some seconds. */
const READING_MS = 5_000

/** Newest value of a metric of a device, with its own instant, Unix ms. */
export type FindReading = (
  deviceId: number,
  metric: string,
  /** `any`: also one that is not trusted. */
  which?: 'any',
) => { readonly value: number; readonly ts: number } | undefined

export interface FieldNeeds {
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
  readonly directory: Pick<DeviceDirectory, 'entries'>
  /** Newest value of a metric of a device; undefined if this metric was measured before an instant (Unix ms). */
  readonly findMetric: (deviceId: number, metric: string, since?: number) => number | undefined
  /** `rainId`: the rain sensor of the source, whose rain counts instead of that of the other devices. */
  readonly readWeather: (
    deviceIds: readonly number[],
    from: number,
    to: number,
    rainId: number | undefined,
  ) => Promise<readonly MeasuredDay[]>
  /**
   * Known hours of the forecast source for the node of a source, past ones too if it gives them; undefined while the first ones are read.
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

/** Newest soil moisture of a group: the mean of its probes that report, %. */
export function findMoisture(
  { findMetric, clock }: Pick<FieldNeeds, 'findMetric' | 'clock'>,
  group: StoredGroup,
): number | undefined {
  const since = clock.now() - MAX_MOISTURE_MS
  const values = listProbeIds(group).flatMap((id) => findMetric(id, 'soil.moisture', since) ?? [])
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Probes of a group that have reported before and do not any longer; its own ones also if they never have. */
export const listSilentProbes = (
  {
    findReading,
    findMetric,
    clock,
  }: Pick<FieldNeeds, 'findMetric' | 'clock'> & {
    readonly findReading: FindReading
  },
  group: StoredGroup,
): readonly number[] =>
  listProbeIds(group).filter((id) => {
    const isProbe =
      findReading(id, 'soil.moisture', 'any') !== undefined || group.settings.probeIds?.includes(id)
    return isProbe && findMetric(id, 'soil.moisture', clock.now() - MAX_MOISTURE_MS) === undefined
  })

/** Reads what plans need of the field: weather, moisture, runs under way. */
export function createFieldReader(needs: FieldNeeds) {
  const weather = new Map<
    number,
    { readonly today: number; readonly until: number; readonly demand: WeatherDemand | undefined }
  >()
  const reading = new Map<number, Promise<WeatherDemand | undefined>>()

  /** What was read of a source on its present local day. */
  function findRead(source: StoredSource) {
    const found = weather.get(source.id)
    return found?.today === toLocalDay(toZone(source), needs.clock.now()) ? found : undefined
  }

  async function read(source: StoredSource): Promise<WeatherDemand | undefined> {
    const now = needs.clock.now()
    const zone = toZone(source)
    const today = toLocalDay(zone, now)
    const stations = [...needs.directory.entries()].flatMap(({ id, kind, path }) =>
      (kind === 'station' || kind === 'sensor') && path.startsWith(source.path) ? [id] : [],
    )
    const from = today - WEATHER_DAYS
    const unread = (error: unknown): undefined => {
      needs.log.warn({ err: error, source: source.id }, 'the weather of an irrigated field could not be read')
    }
    const [measured, hours] = await Promise.all([
      needs.readWeather(stations, from, today, source.settings.rainId).catch(unread),
      needs.readForecast(source.path).catch((error: unknown) => {
        unread(error)
        return []
      }),
    ])
    // Without its store irrigation still runs, by what was read before of this day, or else by the forecast source alone.
    const before = measured ? undefined : findRead(source)?.demand
    const demand =
      before ??
      toDemand(
        measured ?? [],
        toForecastDays(hours ?? [], (ms) => toLocalDay(zone, ms)),
        {
          from,
          until: today,
          latitudeDeg: source.settings.latitude ?? source.place?.latitudeDeg ?? USUAL_LATITUDE,
          altitudeM: source.settings.altitudeM ?? 0,
        },
      )
    const cacheMs = hours === undefined ? READING_MS : measured && demand ? CACHE_MS : UNKNOWN_MS
    // A store that does not answer takes half a minute to fail: the time counts from the end of the read.
    weather.set(source.id, { today, until: needs.clock.now() + cacheMs, demand })
    return demand
  }

  /** Reads the demand of a source anew, for all who want it at the same time. */
  function refresh(source: StoredSource): Promise<WeatherDemand | undefined> {
    const running = reading.get(source.id) ?? read(source).finally(() => reading.delete(source.id))
    reading.set(source.id, running)
    return running
  }

  /**
   * What was read last of the demand of a source on its present local day, without waiting: who watches valves must not wait for
   * ClickHouse. When it is old, it is read anew in the background. Undefined while it is read for the first time on that day.
   */
  function findDemand(source: StoredSource): { readonly demand: WeatherDemand | undefined } | undefined {
    const known = findRead(source)
    if (!known || known.until <= needs.clock.now()) {
      refresh(source).catch((error: unknown) =>
        needs.log.warn(
          { err: error, source: source.id },
          'the weather of an irrigated field was not computed',
        ),
      )
    }
    return known
  }

  const toConditions = (source: StoredSource, demand: WeatherDemand | undefined): Conditions => ({
    demand,
    moisturePct: new Map(
      source.groups.flatMap((group) => {
        const moisture = findMoisture(needs, group)
        return moisture === undefined ? [] : [[group.id, moisture] as const]
      }),
    ),
    pausedUntil: source.pausedUntilMs ?? undefined,
    isLeaking: source.leakMs !== null && source.settings.leakBlocks !== false,
    isHalted: source.haltedMs !== null,
  })

  return {
    findDemand,
    /** Sum of ET₀ and rain of the last complete days, as `findDemand` knows it or read now; undefined if no temperature is known. */
    readDemand: async (source: StoredSource): Promise<WeatherDemand | undefined> =>
      (findDemand(source) ?? { demand: await refresh(source) }).demand,
    /**
     * What a plan of the source needs, without programs and span. `usedTodayM3`: water of today, m³. `openByHand`: only for previews. A run
     * that is stored waits by itself while a valve is open by hand, and not longer.
     */
    toRequest(
      source: StoredSource,
      stored: readonly StoredRun[],
      usedTodayM3: number,
      demand: WeatherDemand | undefined,
      openByHand: readonly OpenByHand[] = [],
    ): Omit<PlanRequest, 'programs' | 'from' | 'until'> {
      const { settings, groups } = source
      const zone = toZone(source)
      const now = needs.clock.now()
      const runs = toActiveRuns(stored)
      return {
        source: settings,
        groups: groups.map(toGroupSpec),
        clock: zone,
        position: findPosition(source),
        conditions: toConditions(source, demand),
        busy: [
          ...openByHand.map(({ valveId, flowM3H, untilMs }) => ({
            valveIds: [valveId],
            flowM3H,
            startMs: now,
            endMs: untilMs,
          })),
          ...toBusy(runs, now),
        ],
        usedM3: toUsedM3(runs, usedTodayM3, zone, now),
      }
    },
  }
}

export type FieldReader = ReturnType<typeof createFieldReader>
