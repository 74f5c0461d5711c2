import type { PumpCurve } from '@isotherm/hydraulics/elements/pump'
import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { createRandom, sampleNormal } from '@isotherm/kernel/random'
import { logMeanDifference } from '@isotherm/thermal/households/radiator'
import { WATER_HEAT_CAPACITY } from '@isotherm/thermal/water'
import { solveLoop } from '../loop/loop-flows.ts'
import { scaleCircuits, scalePipes } from '../loop/loop-model.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import type { LoopReadings, LoopRecords } from '../records/loop-records.ts'
import { restAtFlow, type ThermalModel } from '../rooms/thermal-model.ts'
import { NO_MEMORY } from '../step/step-memory.ts'
import type { StepOrder } from './plan-step.ts'

const HEAT_W_M2 = 35
const DROP_K = 10
const [SUPPLY_C, ROOM_C, OUTDOOR_C] = [46, 20, -5]
/** Errors of recorded pipes and circuits, and variation of emitters and envelopes between buildings. */
const SIGMA = { pipes: 0.3, circuits: 0.3, emitter: 0.08, loss: 0.08 } as const

/** A simulated station. Its records are those of its designer, and `readAt` measures the true loop. */
export interface SampleStation {
  readonly records: LoopRecords
  readonly openings: Float64Array
  readonly pump: PumpCurve
  /** Steady readings of exact sensors at these stem openings. */
  readonly readAt: (openings: Float64Array) => LoopReadings
}

/**
 * A station with a one-speed pump and random openings; the same for the same seed. Meters and thermometers are exact,
 * so all errors come from the estimates of pipes, circuits and the pump, and from valves that are not as recorded.
 */
export function createSampleStation(
  consumers: number,
  seed: number,
  trueValve: (recorded: ValveCharacteristic, consumer: number) => ValveCharacteristic = (valve) => valve,
): SampleStation {
  const random = createRandom(seed + 400)
  const spread = (sigma: number) =>
    Float64Array.from({ length: consumers }, () => Math.exp(sampleNormal(random, 0, sigma)))
  const recorded = createSampleLoop(consumers, seed)
  const pipes = recorded.pipes.map(() => Math.exp(sampleNormal(random, 0, SIGMA.pipes)))
  const piped = scaleCircuits(scalePipes(recorded, Float64Array.from(pipes)), spread(SIGMA.circuits))
  const loop = { ...piped, valves: piped.valves.map(trueValve) }
  const areaM2 = Float64Array.from({ length: consumers }, () => 700 + 600 * random())
  const designKgS = areaM2.map((area) => (HEAT_W_M2 * area) / (WATER_HEAT_CAPACITY * DROP_K))
  const exponent = filled(consumers, 1.3)
  const excess = logMeanDifference(50 - ROOM_C, 40 - ROOM_C)
  const emitter = areaM2.map((area) => (HEAT_W_M2 * area) / excess ** 1.3)
  const [emitters, losses] = [spread(SIGMA.emitter), spread(SIGMA.loss)]
  const thermal: ThermalModel = {
    outdoorC: OUTDOOR_C,
    supplyC: filled(consumers, SUPPLY_C),
    exponent,
    coefficient: emitter.map((value, i) => value * (emitters[i] ?? 1)),
    lossWK: areaM2.map((area, i) => ((HEAT_W_M2 * area) / 30) * (losses[i] ?? 1)),
  }
  const pump = { h0: 260_000, h1: 0, h2: 60_000 / designKgS.reduce((sum, flow) => sum + flow, 0) ** 2 }
  return {
    records: { loop: recorded, exponent, areaM2, designKgS, emitter },
    openings: Float64Array.from({ length: consumers }, () => 0.45 + 0.45 * random()),
    pump,
    readAt: (openings) => {
      const { flowKgS, headPa, totalKgS } = solveLoop(loop, openings, { kind: 'pump', pump, speed: 1 })
      const rests = Array.from(flowKgS, (flow, i) => restAtFlow(thermal, i, flow))
      const read = (of: 'returnC' | 'roomC') => Float64Array.from(rests, (rest) => rest?.[of] ?? Number.NaN)
      return {
        supplyC: thermal.supplyC,
        returnC: read('returnC'),
        roomC: read('roomC'),
        meterKgS: flowKgS,
        outdoorC: OUTDOOR_C,
        headPa,
        totalKgS,
      }
    },
  }
}

/** A first step towards equal returns with meters and the present pump. */
export function firstStep({ records, openings, pump, readAt }: SampleStation): StepOrder {
  return {
    records,
    readings: readAt(openings),
    openings,
    flows: 'metered',
    memory: NO_MEMORY,
    gateK: 0,
    goal: { kind: 'temperature', target: 'return' },
    isFixed: new Uint8Array(openings.length),
    pump: { kind: 'fixed-speed', pump, speed: 1 },
  }
}

/** The same without room sensors, so that no cold room limits the step. */
export const withoutRooms = (order: StepOrder): StepOrder => ({
  ...order,
  readings: { ...order.readings, roomC: filled(order.openings.length, Number.NaN) },
})
