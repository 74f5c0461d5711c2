import { celsius, kilogramPerSecond } from '@isotherm/kernel/quantities'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { computeDecay, stepBuilding } from './building.ts'
import { createHouseholds, type Households, partitionConductance } from './households.ts'
import { returnTemperature } from './radiator.ts'
import {
  at,
  DESIGN_FLOW_KG_S,
  dwelling,
  floor,
  integrate,
  makeHouseholds,
  radiator,
} from './step-households.testkit.ts'
import { stepHouseholds } from './step-households.ts'

const slab = partitionConductance(2.5, 90)
const withRadiator = { building: dwelling, emitter: radiator }
const withFloor = { building: dwelling, emitter: floor }

/** Three flats one above the other: radiators, a floor, and one whose valve is shut. */
function makeStack(): Households {
  const stack = makeHouseholds(
    [withRadiator, withFloor, withRadiator],
    [
      { between: 0, and: 1, conductance: slab },
      { between: 1, and: 2, conductance: slab },
    ],
  )
  stack.flowKgS.set([DESIGN_FLOW_KG_S.radiator, DESIGN_FLOW_KG_S.floor, 0])
  stack.supplyC.set([55, 42, 50])
  stack.airGainW.set([300, 200, 0])
  stack.massGainW.set([0, 100, 0])
  return stack
}

/** Heat stored in air, walls and emitters above 0 °C, J. */
function stored(h: Households): number {
  let heat = 0
  for (let i = 0; i < h.count; i++) {
    heat += at(h.airCapacity, i) * at(h.airC, i) + at(h.massCapacity, i) * at(h.massC, i)
    heat += at(h.emitterCapacity, i) * at(h.emitterC, i)
  }
  return heat
}

it('holds 20 °C at 50/40 °C and −10 °C outside if the losses equal the design heat of 3150 W', () => {
  // 0.58 + 0.67·4.5/5.17 = 1.1632 W/(m²·K), times 90 m² and 30 K: 3140.6 W; so a little above 20 °C.
  const h = makeHouseholds([withRadiator])
  h.flowKgS.fill(DESIGN_FLOW_KG_S.radiator)
  h.supplyC.fill(50)
  for (let day = 0; day < 60; day++) stepHouseholds(h, -10, 86_400)
  expect(at(h.airC)).toBeCloseTo(20.05, 1)
  expect(at(h.returnC)).toBeCloseTo(40, 1)
  expect(at(h.emittedW)).toBeCloseTo(at(h.takenW), 3)
  expect(at(h.lostW)).toBeCloseTo(at(h.takenW), 3)
})

it('reaches the steady state of the emitter law at any flow: return from LMTD^n', () => {
  for (const share of [0.05, 0.5, 1, 3]) {
    const h = makeHouseholds([withRadiator])
    const flow = kilogramPerSecond(share * DESIGN_FLOW_KG_S.radiator)
    h.flowKgS.fill(flow)
    h.supplyC.fill(50)
    for (let day = 0; day < 60; day++) stepHouseholds(h, -5, 86_400)
    const law = returnTemperature(radiator, flow, celsius(50), celsius(at(h.airC)))
    expect(Math.abs(at(h.returnC) - law)).toBeLessThan(1e-4)
  }
})

it('simulates air and walls like building.ts without heating', () => {
  const h = makeHouseholds([{ building: dwelling, emitter: { ...radiator, coefficient: 0 } }])
  const state = { airC: at(h.airC), massC: at(h.massC) }
  stepHouseholds(h, -12, 300)
  stepBuilding(dwelling, computeDecay(dwelling, 300), { outsideC: -12, airHeatW: 0, massHeatW: 0 }, state)
  expect(at(h.airC)).toBeCloseTo(state.airC, 9)
  expect(at(h.massC)).toBeCloseTo(state.massC, 9)
})

it('cools a radiator without flow by the closed form (v₀^(1−n) + (n−1)·K·t/C)^(−1/(n−1))', () => {
  const still = { ...dwelling, airCapacity: 1e14, massCapacity: 1e14 }
  for (const stepS of [10, 300]) {
    const h = makeHouseholds([{ building: still, emitter: radiator }], [], {
      airC: 20,
      emitterC: 60,
      outsideC: 20,
    })
    for (let t = 0; t < 3600; t += stepS) stepHouseholds(h, 20, stepS)
    const exact = (40 ** -0.3 + (0.3 * radiator.coefficient * 3600) / radiator.capacity) ** (-1 / 0.3)
    expect(Math.abs(at(h.emitterC) - 20 - exact)).toBeLessThan(stepS === 10 ? 1e-4 : 0.05)
  }
})

it('shows the temperature of an emitter without flow as its return', () => {
  const h = makeHouseholds([withRadiator, withFloor])
  h.supplyC.fill(90)
  stepHouseholds(h, -5, 300)
  expect([...h.returnC]).toEqual([...h.emitterC])
  expect(at(h.returnC)).toBeGreaterThan(20)
  expect([...h.takenW]).toEqual([0, 0])
})

it('agrees with a fine Runge–Kutta of the same balances after a step of supply and flow', () => {
  for (const [stepS, boundK] of [
    [60, 0.02],
    [300, 0.1],
  ] as const) {
    const h = makeStack()
    let worst = 0
    const exact = integrate(h, -5, 4 * 3600, 5)
    for (let t = 0; t < 4 * 3600; t += stepS) stepHouseholds(h, -5, stepS)
    for (let i = 0; i < h.count; i++) {
      worst = Math.max(worst, Math.abs(at(h.airC, i) - at(exact, 3 * i)))
      worst = Math.max(worst, Math.abs(at(h.massC, i) - at(exact, 3 * i + 1)))
      worst = Math.max(worst, Math.abs(at(h.emitterC, i) - at(exact, 3 * i + 2)))
    }
    expect(worst).toBeLessThan(boundK)
  }
})

it('responds to a valve within half an hour with radiators and within half a day with floors', () => {
  const reach = (spec: typeof withRadiator, flow: number, supplyC: number): number => {
    const h = makeHouseholds([spec])
    h.supplyC.fill(supplyC)
    h.flowKgS.fill(0.7 * flow)
    for (let day = 0; day < 30; day++) stepHouseholds(h, -5, 86_400)
    const before = at(h.emittedW)
    h.flowKgS.fill(1.4 * flow)
    const settled = makeHouseholds([spec])
    settled.supplyC.fill(supplyC)
    settled.flowKgS.fill(1.4 * flow)
    // Without the slow response of the room: heat of the emitter into the unchanged room.
    const room = at(h.airC)
    for (let hour = 0; hour < 240; hour++) {
      settled.airC.fill(room)
      settled.massC.fill(at(h.massC))
      stepHouseholds(settled, -5, 300)
    }
    const goal = before + 0.632 * (at(settled.emittedW) - before)
    for (let minute = 5; minute < 48 * 60; minute += 5) {
      h.airC.fill(room)
      stepHouseholds(h, -5, 300)
      if (at(h.emittedW) >= goal) return minute / 60
    }
    return Number.POSITIVE_INFINITY
  }
  const radiatorH = reach(withRadiator, DESIGN_FLOW_KG_S.radiator, 50)
  const floorH = reach(withFloor, DESIGN_FLOW_KG_S.floor, 40)
  expect(radiatorH).toBeGreaterThan(0.1)
  expect(radiatorH).toBeLessThan(0.5)
  expect(floorH).toBeGreaterThan(1.5)
  expect(floorH).toBeLessThan(12)
})

it('keeps a flat whose valve is shut warm through its neighbours, at their cost', () => {
  const alone = makeHouseholds([withRadiator, withRadiator])
  const joined = makeHouseholds([withRadiator, withRadiator], [{ between: 0, and: 1, conductance: slab }])
  for (const h of [alone, joined]) {
    h.flowKgS.set([DESIGN_FLOW_KG_S.radiator, 0])
    h.supplyC.fill(50)
    for (let day = 0; day < 30; day++) stepHouseholds(h, -5, 86_400)
  }
  expect(at(alone.airC, 1)).toBeCloseTo(-5, 1)
  expect(at(joined.airC, 1)).toBeGreaterThan(4)
  expect(at(joined.airC, 0)).toBeLessThan(at(alone.airC, 0) - 2)
  expect(at(joined.takenW, 0)).toBeGreaterThan(at(alone.takenW, 0))
})

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })

it('closes the energy balance for any step: heat of water and gains less losses equals the stored heat', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(number(0, 1), number(-10, 95), number(0, 3000)), { minLength: 3, maxLength: 3 }),
      number(-40, 30),
      number(0.1, 1e5),
      (inputs, outdoorC, stepS) => {
        const h = makeStack()
        inputs.forEach(([flow, supply, gain], i) => {
          h.flowKgS[i] = flow
          h.supplyC[i] = supply
          h.airGainW[i] = gain
        })
        const before = stored(h)
        stepHouseholds(h, outdoorC, stepS)
        let net = 0
        let turned = 0
        for (let i = 0; i < h.count; i++) {
          net += at(h.takenW, i) + at(h.airGainW, i) + at(h.massGainW, i) - at(h.lostW, i)
          turned += Math.abs(at(h.takenW, i)) + Math.abs(at(h.lostW, i)) + 1
          // The water gives off the difference between inlet and outlet.
          const carried = at(h.flowKgS, i) * 4187 * (at(h.supplyC, i) - at(h.returnC, i))
          expect(Math.abs(carried - at(h.takenW, i))).toBeLessThan(1e-6 * (Math.abs(carried) + 1e3))
        }
        expect(Math.abs(net * stepS - (stored(h) - before))).toBeLessThan(1e-6 * turned * stepS + 1)
      },
    ),
  )
})

it('keeps all temperatures between the coldest and the warmest of their surroundings', () => {
  fc.assert(
    fc.property(
      number(0, 1),
      number(-10, 95),
      number(-40, 30),
      number(1, 1e5),
      (flow, supply, out, stepS) => {
        const h = makeStack()
        h.airGainW.fill(0)
        h.massGainW.fill(0)
        h.flowKgS.fill(flow)
        h.supplyC.fill(supply)
        stepHouseholds(h, out, stepS)
        const low = Math.min(supply, out, at(h.massC), -5, 20) - 1e-6
        const high = Math.max(supply, 35, out) + 1e-6
        const all = [...h.airC, ...h.massC, ...h.emitterC, ...h.returnC]
        expect(Math.min(...all)).toBeGreaterThanOrEqual(low)
        expect(Math.max(...all)).toBeLessThanOrEqual(high)
      },
    ),
  )
})

it('gives finite temperatures for any finite input', () => {
  const any = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(any, any, any, any, number(1e-6, 1e5), (flow, supply, gain, outdoorC, stepS) => {
      const h = makeStack()
      h.flowKgS.fill(flow)
      h.supplyC.fill(supply)
      h.airGainW.fill(gain)
      h.massGainW.fill(gain)
      for (let step = 0; step < 3; step++) stepHouseholds(h, outdoorC, stepS)
      for (const values of [h.airC, h.massC, h.emitterC, h.returnC, h.takenW, h.lostW]) {
        expect(values.every(Number.isFinite)).toBe(true)
      }
    }),
  )
})

it('continues bit for bit from its temperatures alone', () => {
  const h = makeStack()
  for (let step = 0; step < 10; step++) stepHouseholds(h, -5, 120)
  const again = makeStack()
  again.airC.set(h.airC)
  again.massC.set(h.massC)
  again.emitterC.set(h.emitterC)
  for (const each of [h, again]) stepHouseholds(each, -7, 120)
  expect(again.airC).toEqual(h.airC)
  expect(again.returnC).toEqual(h.returnC)
})

it('refuses invalid households', () => {
  const start = { airC: 20, emitterC: 30, outsideC: 0 }
  const bad = { building: { ...dwelling, airCapacity: 0 }, emitter: radiator }
  expect(createHouseholds([withRadiator, bad], [], start)).toEqual({
    kind: 'bad-household',
    household: 1,
    what: 'airCapacity',
  })
  const thin = { building: { ...dwelling, airCapacity: 5e4 }, emitter: radiator }
  expect(createHouseholds([thin], [], start).kind).toBe('bad-household')
  const nowhere = { between: 0, and: 1, conductance: 5 }
  expect(createHouseholds([withRadiator], [nowhere], start)).toEqual({ kind: 'bad-partition', partition: 0 })
  expect(() => stepHouseholds(makeStack(), 0, Number.NaN)).toThrow(RangeError)
  expect(() => partitionConductance(4, 10)).toThrow(RangeError)
})
