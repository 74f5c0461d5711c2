import type { MetricName } from '@isotherm/contract/metrics'
import { toConsumer } from '../../loop/consumer.testkit.ts'
import type { Loop, LoopConsumer } from '../../loop/loop.ts'
import { recordsOf } from '../../loop/records.ts'
import { windowUntil } from '../../measurements/loop-window.ts'
import { measureLoop } from '../../measurements/measured-loop.ts'
import { planRound } from '../plan-round.ts'
import type { RoundPlan } from '../planner.ts'
import { readMemory } from '../round-memory.ts'

const NOW = Date.UTC(2026, 0, 10)
const PERIOD_MS = 600_000
const READINGS = 18
const STATION = 9
const ROOM = 100
const SUPPLY_C = 48

/** Returns of the consumers, °C: those of 1 to 3 are too warm, so a trim would close their valves. */
const returnsC = [43, 43, 43, 39.5, 39, 38.5, 38, 38]
/**
 * Rooms behind them, two sensors each, °C: the first has a cold one, and the second's are much colder than usual.
 */
const roomsC = [[17.4, 21], [18.8, 18.9], [20.8, 20.9], ...Array.from({ length: 5 }, () => [20.5, 20.6])]

const withRooms = (_: number, index: number): LoopConsumer => ({
  ...toConsumer(index + 1, 'radiator'),
  nestaddr: `集团,公司,东区,一号站,阳光小区,3号楼,${index + 1}单元`,
  rooms: [1, 2].map((room) => ({ deviceId: room * ROOM + index + 1, path: '/1/', periodS: 600 })),
})
const consumers = returnsC.map(withRooms)
const loop: Loop = {
  station: { deviceId: STATION, path: '/', periodS: 600 },
  areas: [consumers.map((consumer) => [consumer])],
  consumers,
  pipes: [],
}
const place = {
  companyId: 1,
  node: '1',
  nodeName: '小区',
  nodePath: '/1/',
  stationNodeId: 1,
  stationName: '换热站',
  stationPath: '/',
}

/** Readings of a device; temperatures vary, so that none is frozen. */
function shownOf(deviceId: number, metric: MetricName): number | undefined {
  if (deviceId === STATION) {
    const shown: Partial<Record<MetricName, number>> = { 'pressure.supply': 360, 'pressure.return': 300 }
    return metric === 'temp.outdoor' ? -5 : shown[metric]
  }
  const returnC = returnsC[(deviceId % ROOM) - 1] ?? 0
  const ofValve: Partial<Record<MetricName, number>> = {
    'temp.supply': SUPPLY_C,
    'temp.return': returnC,
    'valve.opening': 50,
    'heat.flow': 17 / (1.16 * (SUPPLY_C - returnC)),
    'temp.room': roomsC[(deviceId % ROOM) - 1]?.[Math.floor(deviceId / ROOM) - 1] ?? 0,
  }
  return ofValve[metric]
}

const readings = (deviceId: number, metric: MetricName) => {
  const shown = shownOf(deviceId, metric)
  const places = shown === undefined ? [] : Array.from({ length: READINGS }, (_, index) => index)
  const sways = metric.startsWith('temp.') ? 0.1 : 0
  return {
    ts: places.map((index) => NOW - (READINGS - 1 - index) * PERIOD_MS),
    value: places.map((index) => (shown ?? 0) + sways * ((index % 3) - 1)),
  }
}

interface PlanOptions {
  readonly memory?: RoundPlan['memory']
  readonly target?: 'return' | 'room'
  /** Whether a metric of a device was not reported. */
  readonly lacks?: (deviceId: number, metric: MetricName) => boolean
}

/** Plans a round of the loop from its readings. */
export const planLoop = ({ memory, target = 'return', lacks = () => false }: PlanOptions = {}) =>
  planRound({
    place,
    loop,
    mode: { kind: 'temperature', target },
    exclusions: new Map(),
    at: NOW,
    measured: measureLoop(
      loop,
      (deviceId, metric) => (lacks(deviceId, metric) ? { ts: [], value: [] } : readings(deviceId, metric)),
      windowUntil(NOW, 1),
    ),
    records: recordsOf(loop),
    findOpening: () => undefined,
    settleMs: () => 1_000,
    groupPaths: [],
    memory: memory === undefined ? undefined : readMemory(memory),
  })
