import {
  type IrrigationSourceSettings,
  type SensorSetting,
  sensorSettings,
} from '@isotherm/contract/irrigation'
import type { MetricName } from '@isotherm/contract/metrics'
import type { SourceReading } from '@isotherm/irrigation/watch/latch'
import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import type { FindReading } from '../field.ts'
import type { StoredGroup } from '../storage/sources.pg.ts'

/** The device that measures the flow of a source: its flow meter, else the controller of its pump house. */
export const findMeterId = ({
  meterId,
  stationId,
}: Pick<IrrigationSourceSettings, 'meterId' | 'stationId'>): number | undefined => meterId ?? stationId

type Condition = 'leak' | 'dry' | 'low'
/** Columns of conditions that begin anew. */
type ConditionsBegun = { readonly [Column in `${Condition}_${'since' | 'seen'}_ms`]?: null }

/**
 * Columns of the conditions that other devices measure after a change. Such a condition is timed anew by its new device.
 */
export function forgetReplaced(
  before: IrrigationSourceSettings,
  after: IrrigationSourceSettings,
): ConditionsBegun {
  const isPump = before.stationId !== after.stationId
  const isFlow = findMeterId(before) !== findMeterId(after)
  const isInlet = (before.inletId ?? before.stationId) !== (after.inletId ?? after.stationId)
  return {
    ...(isFlow ? { leak_since_ms: null, leak_seen_ms: null } : {}),
    // The controller reports whether the pump runs.
    ...(isFlow || isPump ? { dry_since_ms: null, dry_seen_ms: null } : {}),
    ...(isInlet || isPump ? { low_since_ms: null, low_seen_ms: null } : {}),
  }
}

/** The sensors of its own that a source has. */
export const listSensors = (
  settings: IrrigationSourceSettings,
): readonly { readonly setting: SensorSetting; readonly deviceId: number }[] =>
  sensorSettings.flatMap((setting) => {
    const deviceId = settings[setting]
    return deviceId === undefined ? [] : [{ setting, deviceId }]
  })

/** The devices that measure the soil of a group: its own probes, else its valves, some of which may have one. */
export const listProbeIds = ({ settings: { probeIds = [], valves } }: StoredGroup): readonly number[] =>
  probeIds.length > 0 ? probeIds : valves.map(({ deviceId }) => deviceId)

/**
 * What a sensor at a place in the pipe reports. A sensor of pressure with one metric reports either of the two, whatever its place is. One
 * with both measures before and after the pump: the first is that of the place.
 */
const metricsOf: Readonly<Record<SensorSetting, readonly MetricName[]>> = {
  meterId: ['heat.flow'],
  inletId: ['pressure.return', 'pressure.supply'],
  outletId: ['pressure.supply', 'pressure.return'],
  rainId: ['rain.total'],
}

/**
 * Newest value of what a sensor of a source is there for. The second metric counts if the first has not been reported for an hour, not if
 * the first is not trusted: it would be the pressure on the other side of the pump.
 */
function findOwn(
  findReading: FindReading,
  setting: SensorSetting,
  deviceId: number,
): ReturnType<FindReading> {
  const [first, second] = metricsOf[setting].map((metric) => {
    const at = findReading(deviceId, metric, 'any')?.ts
    return at === undefined ? undefined : { metric, at }
  })
  const chosen = first && (!second || second.at - first.at <= HOUR_MS) ? first : second
  return chosen && findReading(deviceId, chosen.metric)
}

/** When a sensor last reported what it is there for, Unix ms. */
export const findReportedAt = (findReading: FindReading, setting: SensorSetting, deviceId: number): number =>
  findOwn(findReading, setting, deviceId)?.ts ?? Number.NEGATIVE_INFINITY

/** Newest pressure before or after the pump: of the sensor there, else of the controller. */
export function findPressure(
  findReading: FindReading,
  settings: IrrigationSourceSettings,
  side: 'inletId' | 'outletId',
): ReturnType<FindReading> {
  const { [side]: sensorId, stationId } = settings
  if (sensorId !== undefined) return findOwn(findReading, side, sensorId)
  const metric = side === 'inletId' ? 'pressure.return' : 'pressure.supply'
  return stationId === undefined ? undefined : findReading(stationId, metric)
}

/**
 * Newest readings at a source; undefined without any flow or pressure. Each has its own instant: a device may report other metrics later.
 */
export function readSource(
  findReading: FindReading,
  settings: IrrigationSourceSettings,
): SourceReading | undefined {
  const meterId = findMeterId(settings)
  const flow = meterId === undefined ? undefined : findReading(meterId, 'heat.flow')
  const inlet = findPressure(findReading, settings, 'inletId')
  const atMs = flow?.ts ?? inlet?.ts
  if (atMs === undefined) return undefined
  const { stationId } = settings
  const runs =
    stationId === undefined
      ? []
      : ['pump.speed', 'pump.power'].flatMap((metric) => findReading(stationId, metric) ?? [])
  return {
    atMs,
    flowM3H: flow?.value,
    ...(runs.length === 0
      ? {}
      : { isPumping: runs.some(({ value }) => value > 0), pumpMs: Math.max(...runs.map(({ ts }) => ts)) }),
    ...(inlet ? { inletKpa: inlet.value, inletMs: inlet.ts } : {}),
  }
}

/** Time without a value after which a sensor counts as silent, ms. A rain gauge may report only when it rains, and once a day. */
const SILENT_MS: Readonly<Record<SensorSetting, number>> = {
  meterId: HOUR_MS,
  inletId: HOUR_MS,
  outletId: HOUR_MS,
  rainId: DAY_MS,
}

/** Whether a sensor of a source has not reported what it is there for. */
export const isSensorSilent = (
  findReading: FindReading,
  setting: SensorSetting,
  deviceId: number,
  now: number,
): boolean => findReportedAt(findReading, setting, deviceId) < now - SILENT_MS[setting]
