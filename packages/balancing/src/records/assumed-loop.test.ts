import { createLearnedCurve } from '@isotherm/hydraulics/elements/learned-curve'
import { flowCoefficient } from '@isotherm/kernel/quantities'
import { mean, weightedDeviation } from '@isotherm/kernel/statistics'
import { expect, test } from 'vitest'
import { pathLosses, sumFlows } from '../loop/loop-model.ts'
import { planStep } from '../plan/plan-step.ts'
import { createSampleStation, firstStep, withoutRooms } from '../plan/sample-station.testkit.ts'
import { assumeRecords } from './assumed-loop.ts'
import { usualDiameter } from './assumed-pipes.ts'
import { kvsOfPlate, usualKvs } from './assumed-valve.ts'
import { toPipeSpec } from './recorded-pipes.ts'

test('the name plate of a valve gives its Kvs, or its width gives the usual one', () => {
  const plates = ['DN32 Kvs16', 'DN20 Kvs4', 'VVF43 kvs = 6.3', 'DN 40', 'unit valve', '']
  expect(plates.map(kvsOfPlate)).toEqual([16, 4, 6.3, 25, undefined, undefined])
})

test('the smallest valve within 5 kPa and the smallest pipe within 100 Pa/m are chosen', () => {
  // 0.8 kg/s are 2.915 m³/h: 2.915/√0.05 = 13.0.
  expect(usualKvs(0.8)).toBe(16)
  expect(usualKvs(0.6)).toBe(10)
  // 1 kg/s in DN 50 (53 mm): w = 0.459 m/s, λ = 0.0387, 76 Pa/m; in DN 40 (41 mm) some 300.
  expect(usualDiameter(1)).toBe(0.053)
})

test('a tree becomes one street for each area, with a branch to each building and a pipe to each unit', () => {
  const unit = { areaM2: 1000, kvs: 16 }
  const { loop, areaM2, designKgS, exponent, emitter } = assumeRecords({
    areas: [
      { buildings: [{ units: [unit, unit] }, { units: [{ areaM2: Number.NaN, emitters: 'floor' }] }] },
      { buildings: [{ units: [{ areaM2: 2000, kvs: 25, emitters: 'fan-coil' }] }] },
    ],
  })
  // 0 station; 1 street, 2 branch, 3 and 4 units; 5 street, 6 branch, 7 unit; 8 street, 9 branch, 10 unit.
  expect(loop.pipes.map(({ parent }) => parent)).toEqual([-1, 0, 1, 2, 3, 1, 5, 6, 0, 8, 9])
  expect([...loop.network.circuitNode]).toEqual([3, 4, 7, 10])
  expect([...areaM2]).toEqual([1000, 1000, 1000, 2000])
  // 40 W/m² and 10 K: 40 000/(4187·10) = 0.955 kg/s.
  expect(designKgS[0]).toBeCloseTo(0.955, 3)
  expect([...exponent]).toEqual([1.3, 1.3, 1.1, 1])
  expect(loop.valves.map((valve) => (valve.kind === 'equal-percentage' ? valve.kvs : 0))).toEqual([
    16, 16, 16, 25,
  ])
  // 80 kW at 45 K of the mean: LMTD of 30 and 20 K is 24.7 K.
  expect(emitter[3]).toBeCloseTo(80_000 / 24.66, -1)
  const pipeFlow = sumFlows(loop.network, designKgS, new Float64Array(11))
  expect(pipeFlow[0]).toBeCloseTo(5 * 0.955, 2)
  const loss = pathLosses(loop.network, pipeFlow, new Float64Array(12))
  expect(loss[0]).toBeGreaterThan(50_000)
  expect(loss[0]).toBeLessThan(50_500)
})

test('a stated curve is used before the name plate, the name plate before the usual curve, and each curve has its source', () => {
  const stated = { kind: 'linear', kvs: flowCoefficient(12) } as const
  const learned = createLearnedCurve([0, 3, 9].map(flowCoefficient))
  if (learned.kind !== 'learned') throw new Error(learned.kind)
  const { loop, curves, assumed } = assumeRecords({
    areas: [
      {
        buildings: [
          {
            units: [
              { areaM2: 1000, kvs: 16, shape: 'quick-opening', stated },
              { areaM2: 1000, stated: learned },
              { areaM2: 1000, kvs: 16, shape: 'quick-opening' },
              { areaM2: 1000, shape: 'linear' },
              { areaM2: 1000, kvs: 16 },
            ],
          },
        ],
      },
    ],
  })
  expect(loop.valves).toEqual([
    stated,
    learned,
    { kind: 'quick-opening', kvs: 16 },
    // 0.955 kg/s are 3.48 m³/h: 3.48/√0.05 = 15.6.
    { kind: 'linear', kvs: 16 },
    { kind: 'equal-percentage', kvs: 16, rangeability: 40 },
  ])
  expect(curves).toEqual(['stated', 'stated', 'plate', 'plate', 'assumed'])
  // Of the fourth only the shape is known.
  expect([...(assumed?.plates ?? [])]).toEqual([0, 0, 0, 1, 0])
})

test('a station without any known floor area still has a loop', () => {
  const { areaM2 } = assumeRecords({ areas: [{ buildings: [{ units: [{ areaM2: 0 }, { areaM2: 0 }] }] }] })
  expect([...areaM2]).toEqual([1000, 1000])
})

test('pipes are as recorded as far as they lead from the station, and assumed beyond', () => {
  const trench = (from: string, to: string, innerDiameterM = 0.08) => ({
    from,
    to,
    lengthM: 100,
    innerDiameterM,
    roughnessM: 0.0005,
  })
  const unit = { areaM2: 1000, kvs: 16 }
  const { loop, mainsSigma } = assumeRecords({
    place: 'station',
    pipes: [
      trench('b1', 'a'),
      trench('station', 'a', 0.1),
      // Leads to nothing of this loop, and starts nowhere.
      trench('a', 'spare'),
      trench('b2u2', 'b2u1'),
    ],
    areas: [
      {
        place: 'a',
        buildings: [
          { place: 'b1', units: [unit, unit] },
          {
            place: 'b2',
            units: [
              { ...unit, place: 'b2u1' },
              { ...unit, place: 'b2u2' },
            ],
          },
          { place: 'b3', units: [unit] },
        ],
      },
    ],
  })
  // 0 station, 1 to the area, 2 to b1; its cellar 3, 4; street 5, branch 6, cellar 7, 8 of b2; street 9, branch 10, cellar 11.
  expect(loop.pipes.map(({ parent }) => parent)).toEqual([-1, 0, 1, 2, 3, 1, 5, 6, 7, 5, 9, 10])
  expect([...loop.network.circuitNode]).toEqual([3, 4, 7, 8, 11])
  // 130 m with bends and tees, twice: supply and return.
  expect(loop.pipes[1]).toMatchObject({ length: 130, innerDiameter: 0.1, roughness: 0.0005, runs: 2 })
  expect(Array.from(mainsSigma ?? [])).toEqual([0.4, 0.2, 0.2, ...new Array(9).fill(0.4)])
})

test('a ring of recorded pipes becomes a tree with the fewest pipes to each place', () => {
  const trench = (from: string, to: string) => ({
    from,
    to,
    lengthM: 50,
    innerDiameterM: 0.08,
    roughnessM: 0.0005,
  })
  const { loop } = assumeRecords({
    place: 's',
    pipes: [trench('s', 'b1'), trench('b1', 'b2'), trench('b2', 'b3'), trench('b3', 's')],
    areas: [
      {
        buildings: ['b1', 'b2', 'b3'].map((place) => ({ place, units: [{ areaM2: 500, place }] })),
      },
    ],
  })
  expect(loop.pipes.map(({ parent }) => parent)).toEqual([-1, 0, 0, 1])
  expect([...loop.network.circuitNode]).toEqual([1, 3, 2])
})

test('pipes are assumed for the flow behind them: streets, branches and cellars by their lengths and bends', () => {
  const unit = { areaM2: 1500 }
  const { loop, designKgS } = assumeRecords({
    areas: [{ buildings: [{ units: [unit, unit] }, { units: [unit] }] }],
  })
  const one = designKgS[0] ?? 0
  const readings = loop.pipes.map(({ length, localLoss, innerDiameter }) => ({
    length,
    localLoss,
    innerDiameter,
  }))
  const assumed = (length: number, localLoss: number, units: number) => ({
    length,
    localLoss,
    innerDiameter: usualDiameter(units * one),
  })
  expect(readings.slice(1)).toEqual([
    assumed(45, 2, 3),
    assumed(20, 4, 2),
    assumed(15, 3, 2),
    assumed(15, 3, 1),
    assumed(45, 2, 1),
    assumed(20, 4, 1),
    assumed(15, 3, 1),
  ])
  expect(usualDiameter(3 * one)).toBeGreaterThan(usualDiameter(2 * one))
  expect(usualDiameter(2 * one)).toBeGreaterThan(usualDiameter(one))
  expect(readings[0]?.innerDiameter).toBe(usualDiameter(3 * one))
})

test('a circuit takes 20 kPa at its design flow, behind floors and fan coils 25 kPa', () => {
  const { loop, designKgS } = assumeRecords({
    areas: [
      {
        buildings: [
          {
            units: [
              { areaM2: 900 },
              { areaM2: 900, emitters: 'floor' },
              { areaM2: 900, emitters: 'fan-coil' },
            ],
          },
        ],
      },
    ],
  })
  const drops = loop.network.circuitResistance.map((s, i) => s * (designKgS[i] ?? 0) ** 2)
  expect([...drops]).toEqual([20_000, 25_000, 25_000].map((drop) => expect.closeTo(drop, 6)))
})

test('emitters give the design heat at their design temperatures: radiators 50/40 °C, floors 45/35 °C', () => {
  const { emitter } = assumeRecords({
    areas: [{ buildings: [{ units: [{ areaM2: 1000 }, { areaM2: 1000, emitters: 'floor' }] }] }],
  })
  expect(emitter[0]).toBeCloseTo(40_000 / (10 / Math.log(30 / 20)) ** 1.3, 6)
  expect(emitter[1]).toBeCloseTo(40_000 / (10 / Math.log(25 / 15)) ** 1.1, 6)
})

test('a given design replaces the usual one: heat, temperature drop and the station', () => {
  const areas = [{ buildings: [{ units: [{ areaM2: 1000 }] }] }]
  const { designKgS, emitter } = assumeRecords({ areas }, { heatWM2: 60, dropK: 20 })
  expect(designKgS[0]).toBeCloseTo(60_000 / (4187 * 20), 9)
  expect(emitter[0]).toBeCloseTo(60_000 / (20 / Math.log(30 / 10)) ** 1.3, 6)
  const zeta = (stationDropPa: number) => assumeRecords({ areas }, { stationDropPa }).loop.pipes[0]?.localLoss
  expect((zeta(30_000) ?? 0) / (zeta(10_000) ?? 1)).toBeCloseTo(3, 9)
})

test('an unknown area is the median of the known ones, and an unknown Kvs is that of the smallest valve that fits', () => {
  const units = [800, 1200, 5000, 0].map((areaM2) => ({ areaM2 }))
  const { areaM2, designKgS, loop } = assumeRecords({ areas: [{ buildings: [{ units }] }] })
  expect([...areaM2]).toEqual([800, 1200, 5000, 1200])
  const kvs = loop.valves.map((valve) => valve.kvs)
  expect(kvs).toEqual(Array.from(designKgS, usualKvs))
  expect(kvs[2]).toBeGreaterThan(kvs[1] ?? 0)
})

const trench = (from: string, to: string) => ({
  from,
  to,
  lengthM: 50,
  innerDiameterM: 0.08,
  roughnessM: 0.0005,
})

test('a pipe that closes a ring is listed with the pipes at whose ends it begins and ends', () => {
  const places = ['b1', 'b2', 'b3']
  const areas = [{ buildings: places.map((place) => ({ place, units: [{ areaM2: 500, place }] })) }]
  const pipes = [trench('s', 'b1'), trench('b1', 'b2'), trench('b2', 'b3'), trench('b3', 's')]
  const { closing, loop } = assumeRecords({ place: 's', pipes, areas })
  // Pipe 1 ends at b1, 2 at b3 and 3 at b2.
  expect(loop.pipes.map(({ parent }) => parent)).toEqual([-1, 0, 0, 1])
  expect(closing).toEqual([{ from: 3, to: 2, spec: toPipeSpec(3, trench('b2', 'b3')) }])
  // A second pipe from the station ends there at the station's own pipe.
  const double = assumeRecords({ place: 's', pipes: [...pipes.slice(0, 3), trench('b1', 's')], areas })
  expect(double.closing).toEqual([{ from: 1, to: 0, spec: toPipeSpec(1, trench('b1', 's')) }])
})

test('pipes of a ring apart from the station close nothing, and without a place no recorded pipe is used', () => {
  const areas = [
    {
      buildings: [
        { place: 'b1', units: [{ areaM2: 500 }] },
        { place: 'x', units: [{ areaM2: 500 }] },
      ],
    },
  ]
  const pipes = [trench('s', 'b1'), trench('x', 'y'), trench('y', 'z'), trench('z', 'x')]
  const apart = assumeRecords({ place: 's', pipes, areas })
  expect(apart.closing).toEqual([])
  expect([...(apart.mainsSigma ?? [])]).toEqual([0.4, 0.2, 0.4, 0.4, 0.4, 0.4])
  const nowhere = assumeRecords({ pipes, areas })
  expect(nowhere.loop).toEqual(assumeRecords({ areas }).loop)
  expect(nowhere.closing).toEqual([])
})

test('an area and a unit at the end of a recorded pipe are connected there', () => {
  const { loop } = assumeRecords({
    place: 's',
    pipes: [trench('s', 'a'), trench('a', 'u')],
    areas: [{ place: 'a', buildings: [{ units: [{ areaM2: 500, place: 'u' }, { areaM2: 500 }] }] }],
  })
  // 1 leads to the area and 2 to its first unit; street 3, branch 4 and cellar 5 to the second.
  expect(loop.pipes.map(({ parent }) => parent)).toEqual([-1, 0, 1, 1, 3, 4])
  expect([...loop.network.circuitNode]).toEqual([2, 5])
  expect(loop.pipes[5]?.innerDiameter).toBe(usualDiameter((40 * 500) / (4187 * 10)))
})

test('a station without consumers has no loop', () => {
  expect(() => assumeRecords({ areas: [] })).toThrow('no loop can be assumed')
})

const COUNT = 24
const spread = (values: Float64Array): number => weightedDeviation(values) ?? Number.NaN

/**
 * Spread of returns after one step of a sample station, K, with the records of a designer or with assumptions from
 * its tree.
 */
function oneStep(seed: number, records: 'designer' | 'recorded' | 'tree' | 'one-street'): number {
  const station = createSampleStation(COUNT, seed)
  const first = withoutRooms(firstStep(station))
  const buildings = Array.from(station.records.areaM2, (areaM2) => ({ units: [{ areaM2, kvs: 16 }] }))
  // The true loop has three streets of eight on one trunk.
  const streets = [0, 8, 16].map((from) => ({ buildings: buildings.slice(from, from + 8) }))
  const areas = records === 'one-street' ? [{ buildings }] : streets
  const { loop } = station.records
  const places = Array.from(loop.network.circuitNode, String)
  const pipes = loop.pipes.map(({ parent, length, innerDiameter, roughness }, pipe) => ({
    from: parent < 0 ? 'station' : String(parent),
    to: String(pipe),
    lengthM: length,
    innerDiameterM: innerDiameter,
    roughnessM: roughness,
  }))
  const recorded = buildings.map(({ units }, index) => {
    const place = places[index] ?? ''
    return { place, units: units.map((unit) => ({ ...unit, place })) }
  })
  const known =
    records === 'designer'
      ? station.records
      : records === 'recorded'
        ? assumeRecords({ areas: [{ buildings: recorded }], pipes, place: 'station' })
        : assumeRecords({ areas })
  const { plan } = planStep({ ...first, records: known })
  return spread(station.readAt(plan.openings).returnC)
}

const SEEDS = [1, 2, 3, 4, 5, 6]
test('a step with an assumed loop is worse than one with records, and much better than none', () => {
  const spreads = (records: Parameters<typeof oneStep>[1]) => SEEDS.map((seed) => oneStep(seed, records))
  const before = SEEDS.map((seed) => spread(firstStep(createSampleStation(COUNT, seed)).readings.returnC))
  const [designer, tree, street] = [spreads('designer'), spreads('tree'), spreads('one-street')]
  expect(mean(before)).toBeGreaterThan(2.3)
  expect(mean(designer)).toBeLessThan(0.2)
  expect(mean(tree)).toBeLessThan(0.45)
  expect(Math.max(...tree)).toBeLessThan(0.55)
  expect(Math.max(...street)).toBeLessThan(0.75)
  expect(mean(tree)).toBeGreaterThan(mean(designer))
  expect(mean(spreads('recorded'))).toBeLessThan(0.75 * mean(tree))
})

test('records mark what was assumed: areas, plates, and pipes of buildings that no recorded pipe reaches', () => {
  const { assumed } = assumeRecords({
    place: 's',
    pipes: [trench('s', 'b1')],
    areas: [
      {
        buildings: [
          { place: 'b1', units: [{ areaM2: 900, kvs: 16 }, { areaM2: 0 }] },
          { place: 'b2', units: [{ areaM2: Number.NaN, kvs: 10 }] },
        ],
      },
    ],
  })
  expect([...(assumed?.areas ?? [])]).toEqual([0, 1, 1])
  expect([...(assumed?.plates ?? [])]).toEqual([0, 1, 0])
  expect([...(assumed?.pipes ?? [])]).toEqual([0, 0, 1])
})
