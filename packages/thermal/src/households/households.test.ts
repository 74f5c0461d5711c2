import { describe, expect, it, test } from 'vitest'
import { createHouseholds, type HouseholdSpec, type Partition, partitionConductance } from './households.ts'

const start = { airC: 20, emitterC: 30, outsideC: -10 }
const flat: HouseholdSpec = {
  building: { airToOutside: 50, massToOutside: 100, airToMass: 400, airCapacity: 2e6, massCapacity: 3e7 },
  emitter: { kind: 'radiator', coefficient: 50, exponent: 1.3, capacity: 4e5 },
}
const heatedFloor: HouseholdSpec = {
  building: { ...flat.building, airToOutside: 60 },
  emitter: { kind: 'floor', coefficient: 640, exponent: 1.1, capacity: 1e7, waterConductance: 250 },
}

const withBuilding = (change: Partial<HouseholdSpec['building']>): HouseholdSpec => ({
  ...flat,
  building: { ...flat.building, ...change },
})
const withEmitter = (
  change: Partial<Record<'coefficient' | 'exponent' | 'capacity', number>>,
): HouseholdSpec => ({ ...flat, emitter: { ...flat.emitter, ...change } })
const withWater = (waterConductance: number): HouseholdSpec => ({
  ...heatedFloor,
  emitter: { kind: 'floor', coefficient: 640, exponent: 1.1, capacity: 1e7, waterConductance },
})

/** The invalid property of a household; undefined if it is accepted. */
function refusal(spec: HouseholdSpec): string | undefined {
  const outcome = createHouseholds([flat, spec], [], start)
  if (outcome.kind === 'bad-household') expect(outcome.household).toBe(1)
  return outcome.kind === 'bad-household' ? outcome.what : undefined
}

describe('a household is refused', () => {
  const not = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1.01e15]

  test.each<[string, (value: number) => HouseholdSpec]>([
    ['airCapacity', (airCapacity) => withBuilding({ airCapacity })],
    ['massCapacity', (massCapacity) => withBuilding({ massCapacity })],
    ['airToMass', (airToMass) => withBuilding({ airToMass })],
    ['emitter capacity', (capacity) => withEmitter({ capacity })],
    ['emitter waterConductance', withWater],
  ])('if its %s is not above 0 and up to 1e15', (what, make) => {
    expect(not.map((value) => refusal(make(value)))).toEqual(not.map(() => what))
    expect(refusal(make(1e15))).toBeUndefined()
  })

  test.each<[string, (value: number) => HouseholdSpec]>([
    ['airToOutside', (airToOutside) => withBuilding({ airToOutside })],
    ['massToOutside', (massToOutside) => withBuilding({ massToOutside })],
    ['emitter coefficient', (coefficient) => withEmitter({ coefficient })],
  ])('if its %s is negative or above 1e15', (what, make) => {
    const [, ...negative] = not
    expect(negative.map((value) => refusal(make(value)))).toEqual(negative.map(() => what))
    expect(refusal(make(0))).toBeUndefined()
  })

  it('if neither its air nor its walls lose heat, or both together more than 1e15 W/K', () => {
    const what = 'airToOutside + massToOutside'
    expect(refusal(withBuilding({ airToOutside: 0, massToOutside: 0 }))).toBe(what)
    expect(refusal(withBuilding({ airToOutside: 1e15, massToOutside: 1e15 }))).toBe(what)
    expect(refusal(withBuilding({ airToOutside: 0, massToOutside: 1e15 }))).toBeUndefined()
  })

  it('if the exponent of its emitter is outside 1 to 2', () => {
    const refused = [0.99, 2.01, Number.NaN].map((exponent) => refusal(withEmitter({ exponent })))
    expect(refused).toEqual(refused.map(() => 'emitter exponent'))
    expect([1, 2].map((exponent) => refusal(withEmitter({ coefficient: 1, exponent })))).toEqual([
      undefined,
      undefined,
    ])
  })

  it('if its emitter, 100 K warmer than the room, heats the air completely within 300 s', () => {
    const what = 'airCapacity, too small beside the emitter'
    const airCapacityOf = (coefficient: number, exponent: number, airCapacity: number) =>
      refusal({
        building: { ...flat.building, airCapacity },
        emitter: { kind: 'radiator', coefficient, exponent, capacity: 4e5 },
      })
    // K·n·100^(n − 1)·300 s: 100·300 for n = 1, and 10·2·100·300 for n = 2.
    expect([30_000, 29_999].map((capacity) => airCapacityOf(100, 1, capacity))).toEqual([undefined, what])
    expect([600_000, 599_999].map((capacity) => airCapacityOf(10, 2, capacity))).toEqual([undefined, what])
  })
})

test.each<[string, Partial<Partition>]>([
  ['that begins in no household', { between: -1 }],
  ['that begins behind the last household', { between: 2 }],
  ['that ends in no household', { and: -1 }],
  ['that ends behind the last household', { and: 2 }],
  ['that begins in half a household', { between: 0.5 }],
  ['that ends in half a household', { and: 0.5 }],
  ['between a household and itself', { and: 0 }],
  ['with a negative conductance', { conductance: -1 }],
  ['without a known conductance', { conductance: Number.NaN }],
])('a partition %s is refused', (_, change) => {
  const sound: Partition = { between: 0, and: 1, conductance: 0 }
  expect(createHouseholds([flat, flat], [sound], start).kind).toBe('households')
  const outcome = createHouseholds([flat, flat], [sound, { ...sound, ...change }], start)
  expect(outcome).toEqual({ kind: 'bad-partition', partition: 1 })
})

it('starts without flow and gains, with walls in their steady state and the data of each household in order', () => {
  const partition: Partition = { between: 1, and: 0, conductance: 70 }
  const outcome = createHouseholds([flat, heatedFloor], [partition], start)
  if (outcome.kind !== 'households') throw new Error(outcome.kind)
  // Walls between −10 °C outside and 20 °C inside: −10 + 30·400/500.
  const expected = {
    count: 2,
    flowKgS: [0, 0],
    supplyC: [30, 30],
    airGainW: [0, 0],
    massGainW: [0, 0],
    airC: [20, 20],
    massC: [14, 14],
    emitterC: [30, 30],
    returnC: [30, 30],
    takenW: [0, 0],
    emittedW: [0, 0],
    lostW: [0, 0],
    airToOutside: [50, 60],
    massToOutside: [100, 100],
    airToMass: [400, 400],
    airCapacity: [2e6, 2e6],
    massCapacity: [3e7, 3e7],
    isFloor: [0, 1],
    emitterCoefficient: [50, 640],
    emitterExponent: [1.3, 1.1],
    emitterCapacity: [4e5, 1e7],
    waterConductance: [0, 250],
    partitionFrom: [1],
    partitionTo: [0],
    partitionConductance: [70],
    decay: new Array(8).fill(0),
    exchangeJK: [0],
    preparedS: 0,
  }
  const created = Object.entries(outcome.households).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : [...value],
  ])
  expect(Object.fromEntries(created)).toEqual(expected)
})

it('takes both layers of still air, 0.13 m²K/W each (ISO 6946), off the resistance of a partition', () => {
  // 1/2.5 − 0.26 = 0.14 m²K/W; 70 m² over it are 500 W/K.
  expect(partitionConductance(2.5, 70)).toBeCloseTo(500, 9)
  expect(() => partitionConductance(1 / 0.26, 70)).toThrow('no partition lets 3.84')
})
