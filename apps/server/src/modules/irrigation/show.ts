import { type IrrigationRun, type IrrigationSource, irrigationFinding } from '@isotherm/contract/irrigation'
import { mayFlow } from '@isotherm/irrigation/run/run-machine'
import type { Caller } from '../../platform/http/call.ts'
import { covers } from '../../platform/scope/scope.ts'
import { toNodeKey } from '../network/index.ts'
import type { FindReading } from './field.ts'
import type { OpenByHand } from './run/by-hand.ts'
import { findMeterId, findPressure, isSensorSilent, listSensors } from './sensors/choose-sensors.ts'
import type { SensorCandidate } from './sensors/sensor-candidates.ts'
import type { StoredRun, StoredStep } from './storage/runs.pg.ts'
import type { Candidate, NamedDevice, StoredSource } from './storage/sources.pg.ts'

const given = <Value>(name: string, value: Value | null | undefined) =>
  value === null || value === undefined ? {} : { [name]: value }

type FindMetric = (deviceId: number, metric: string) => number | undefined

/** Measured flow of the open valves of a step, m³/h; undefined if one does not measure. */
function findFlow({ state, valveIds }: StoredStep, findMetric: FindMetric | undefined): number | undefined {
  if (!findMetric || (state !== 'open' && state !== 'opening')) return undefined
  const flows = valveIds.flatMap((id) => findMetric(id, 'heat.flow') ?? [])
  return flows.length < valveIds.length ? undefined : flows.reduce((sum, flow) => sum + flow, 0)
}

const toStep = (step: StoredStep, findMetric?: FindMetric): IrrigationRun['steps'][number] => ({
  id: step.id,
  groupId: step.groupId,
  valveIds: [...step.valveIds],
  flowM3H: step.flowM3H,
  plannedMs: step.plannedMs,
  plannedS: step.plannedS,
  state: step.state,
  volumeM3: step.volumeM3,
  measuredM3: step.measuredM3,
  ...given('nowM3H', findFlow(step, findMetric)),
  ...given('expected', step.expected),
  ...given('openedMs', step.openedMs),
  ...given('closeDueMs', step.closeDueMs),
  ...given('closedMs', step.closedMs),
  ...given('finding', irrigationFinding.safeParse(step.finding).data),
})

/** A run as users see it; with the present flow if `findMetric` is given. */
export const toRun = (run: StoredRun, findMetric?: FindMetric): IrrigationRun => ({
  id: run.id,
  sourceId: run.sourceId,
  sourceName: run.sourceName,
  name: run.name,
  state: run.state,
  dueMs: run.dueMs,
  beganMs: run.beganMs,
  adjustPct: run.adjustPct,
  conflicts: [...run.conflicts],
  plannedM3: run.plannedM3,
  isObserved: run.isObserved,
  volumeM3: run.steps.reduce((sum, { volumeM3 }) => sum + volumeM3, 0),
  measuredM3: run.steps.reduce((sum, { measuredM3 }) => sum + measuredM3, 0),
  actor: run.account,
  steps: run.steps.map((step) => toStep(step, findMetric)),
  ...given('pausedFor', run.pausedFor),
  ...given('programId', run.programId),
  ...given('endedMs', run.endedMs),
})

/** What a run waits for that has not opened a valve yet. `runs`: all of its source that are not over, in their order. */
function toWaiting(run: StoredRun, runs: readonly StoredRun[]): Pick<IrrigationRun, 'waiting'> {
  const startMs = Math.min(...run.steps.map(({ plannedMs }) => plannedMs))
  if (run.state !== 'running' || !run.steps.every(({ state }) => state === 'pending')) return {}
  const before = runs.slice(0, runs.indexOf(run))
  const isLeft = ({ state, plannedMs }: StoredStep): boolean =>
    mayFlow(state) || (state === 'pending' && plannedMs < startMs)
  const after = before.flatMap(({ name, steps }) => (steps.some(isLeft) ? [name] : []))
  return { waiting: { startMs, after } }
}

/** Abilities of the caller on a source. */
export function toAbilities(
  { permissions, scope }: Caller,
  source: StoredSource,
): IrrigationSource['abilities'] {
  if (!covers(scope, source.path)) return []
  if (permissions.has('pe-irrigation')) return ['configure', 'run']
  return permissions.has('pe-irrgrpsx') ? ['run'] : []
}

/** The parts of a source that are read beside it. */
export interface Shown extends Pick<IrrigationSource, 'next' | 'usedTodayM3'> {
  readonly openByHand: readonly OpenByHand[]
  readonly missed: readonly IrrigationSource['missed'][number][]
  readonly runs: readonly StoredRun[]
  readonly candidates: readonly Candidate[]
  readonly stations: readonly Candidate[]
  readonly sensors: readonly SensorCandidate[]
  /** Valves of the groups, the master valve, sensors and probes. */
  readonly names: ReadonlyMap<number, NamedDevice>
  readonly findMetric: FindMetric
  readonly findReading: FindReading
  readonly now: number
  readonly demand: IrrigationSource['demand'] | undefined
  readonly findMoisture: (group: StoredSource['groups'][number]) => number | undefined
  readonly listSilentProbes: (group: StoredSource['groups'][number]) => readonly number[]
}

const nameOf = (names: Shown['names'], id: number): string => names.get(id)?.deviceName ?? String(id)

/** Newest values of the sensors, the controller and the master valve of a source. */
function toPumpHouse({ settings, master }: StoredSource, shown: Shown) {
  const { findMetric, findReading, names, now } = shown
  const { stationId, masterId } = settings
  const meterId = findMeterId(settings)
  const find = (metric: string) => (stationId === undefined ? undefined : findMetric(stationId, metric))
  return {
    ...given('flowM3H', meterId === undefined ? undefined : findMetric(meterId, 'heat.flow')),
    ...given('pressureKpa', findPressure(findReading, settings, 'outletId')?.value),
    ...given('inletKpa', findPressure(findReading, settings, 'inletId')?.value),
    ownSensors: listSensors(settings).map(({ setting, deviceId }) => ({
      setting,
      deviceId,
      deviceName: nameOf(names, deviceId),
      isSilent: isSensorSilent(findReading, setting, deviceId, now),
    })),
    ...given('pumpPct', find('pump.speed')),
    ...(masterId === undefined
      ? {}
      : {
          master: {
            deviceName: nameOf(names, masterId),
            state: master.state,
            ...given('openingPct', findMetric(masterId, 'valve.opening')),
          },
        }),
  }
}

export function toSource(caller: Caller, source: StoredSource, shown: Shown): IrrigationSource {
  const { id, version, nodeId, uuid, address, nestaddr, timeZone, settings } = source
  return {
    ...settings,
    id,
    version,
    node: toNodeKey({ id: nodeId, uuid, address }),
    nestaddr,
    timeZone,
    groups: source.groups.map((group) => ({
      ...group.settings,
      id: group.id,
      version: group.version,
      valves: group.settings.valves.map((valve) => ({
        ...valve,
        deviceName: nameOf(shown.names, valve.deviceId),
        ...given('position', shown.names.get(valve.deviceId)?.position),
        ...given('openingPct', shown.findMetric(valve.deviceId, 'valve.opening')),
      })),
      probes: (group.settings.probeIds ?? []).map((deviceId) => ({
        deviceId,
        deviceName: nameOf(shown.names, deviceId),
      })),
      ...given('moisturePct', shown.findMoisture(group)),
      silentProbes: [...shown.listSilentProbes(group)],
    })),
    programs: source.programs.map((program) => ({
      ...program.settings,
      id: program.id,
      version: program.version,
      actor: program.account,
    })),
    candidates: [...shown.candidates],
    stations: [...shown.stations],
    sensors: [...shown.sensors],
    runs: shown.runs.map((run) => ({ ...toRun(run, shown.findMetric), ...toWaiting(run, shown.runs) })),
    next: shown.next,
    usedTodayM3: shown.usedTodayM3,
    missed: [...shown.missed],
    openByHand: shown.openByHand.map(({ valveId, flowM3H }) => ({ valveId, flowM3H })),
    abilities: toAbilities(caller, source),
    ...given('pausedUntil', source.pausedUntilMs),
    ...(source.pauseReason === '' ? {} : { pauseReason: source.pauseReason }),
    ...given('demand', shown.demand),
    ...toPumpHouse(source, shown),
    ...(source.leakMs === null ? {} : { leak: { sinceMs: source.leakMs, flowM3H: source.leakM3H ?? 0 } }),
    ...(source.haltedMs === null || source.haltedFor === null
      ? {}
      : { halt: { sinceMs: source.haltedMs, reason: source.haltedFor } }),
  }
}
