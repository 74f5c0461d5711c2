import { expectReported } from '@isotherm/kernel/verification.testkit'
import { expect, it } from 'vitest'
import { steadyLoss } from './building.ts'
import { type Partition, partitionConductance } from './households.ts'
import { dwelling, makeHouseholds, radiator } from './step-households.testkit.ts'
import { stepHouseholds } from './step-households.ts'

const OUTSIDE_C = -5
const FLAT_M2 = 90
const WALL_M2 = 25

/** Heat of a flat at 20 °C with unheated neighbours, relative to its heat with neighbours at 20 °C. */
function needsMore(conductances: readonly number[]): number {
  const warm = { building: { ...dwelling, airCapacity: 1e12 }, emitter: { ...radiator, coefficient: 0 } }
  const unheated = { building: dwelling, emitter: { ...radiator, coefficient: 0 } }
  const partitions: Partition[] = conductances.map((conductance, k) => ({
    between: 0,
    and: k + 1,
    conductance,
  }))
  const h = makeHouseholds([warm, ...conductances.map(() => unheated)], partitions, {
    airC: 20,
    emitterC: 20,
    outsideC: OUTSIDE_C,
  })
  // The heated flat covers the losses of its own walls and a part of the losses of its neighbours.
  for (let day = 0; day < 60; day++) {
    h.airC[0] = 20
    stepHouseholds(h, OUTSIDE_C, 86_400)
  }
  const total = h.lostW.reduce((sum, lost) => sum + lost, 0)
  const alone = steadyLoss(dwelling) * (20 - OUTSIDE_C)
  return total / alone - 1
}

it('raises the heat of a flat below an unheated one as measured in real buildings', () => {
  const slab = partitionConductance(2.5, FLAT_M2)
  const wall = partitionConductance(2, WALL_M2)
  const above = needsMore([slab])
  const beside = needsMore([wall])
  const both = needsMore([slab, slab])
  expect(above).toBeGreaterThan(0.45)
  expect(above).toBeLessThan(0.7)
  expect(beside).toBeLessThan(above)
  expect(both).toBeGreaterThan(above)
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`
  expectReported({
    id: 'thermal-neighbours',
    title: 'Unheated neighbours',
    about:
      'How much more heat a flat of 90 m² at 20 °C needs when neighbours are not heated, −5 °C outside, slabs of 2.5 and walls of 2 W/(m²·K). Found in real buildings: more than 45 %, adjusted 50 to 70 %, most when the flat above is unheated (Energy and Buildings 253 (2021) 111519). Bound 45 to 70 % for the flat above.',
    head: ['unheated', 'more heat'],
    rows: [
      ['the flat above', percent(above)],
      ['the flat beside, over 25 m² of wall', percent(beside)],
      ['those above and below', percent(both)],
    ],
  })
})
