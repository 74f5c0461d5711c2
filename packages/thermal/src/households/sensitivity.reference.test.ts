import { celsius, watt } from '@isotherm/kernel/quantities'
import { expectReported } from '@isotherm/kernel/verification.testkit'
import { expect, it } from 'vitest'
import { type Building, steadyLoss } from './building.ts'
import { designRadiator } from './emitter.ts'
import { dwelling, makeHouseholds, stillRoom } from './step-households.testkit.ts'
import { stepHouseholds } from './step-households.ts'

const ROOM_C = 20
const OUTSIDE_C = -5
const EXPONENT = 1.3

interface Point {
  readonly returnC: number
  readonly roomC: number
}

/** New steady state, at `share` of the flow, of a flat at 20 °C with this supply and return. */
function settle(supplyC: number, returnC: number, share: number, building: Building): Point {
  const heat = watt(steadyLoss(dwelling) * (ROOM_C - OUTSIDE_C))
  const design = {
    heat,
    supply: celsius(supplyC),
    back: celsius(returnC),
    room: celsius(ROOM_C),
    capacity: 4e5,
  }
  const start = { airC: ROOM_C, emitterC: returnC, outsideC: OUTSIDE_C }
  const h = makeHouseholds([{ building, emitter: designRadiator(design, EXPONENT) }], [], start)
  h.flowKgS.fill((share * heat) / (supplyC - returnC) / 4187)
  h.supplyC.fill(supplyC)
  for (let day = 0; day < 40; day++) stepHouseholds(h, OUTSIDE_C, 86_400)
  return { returnC: h.returnC[0] ?? Number.NaN, roomC: h.airC[0] ?? Number.NaN }
}

/** Change for a change of the logarithm of flow, by 2 % to either side. */
function slopes(supplyC: number, returnC: number, building: Building): Point {
  const more = settle(supplyC, returnC, 1.02, building)
  const less = settle(supplyC, returnC, 0.98, building)
  const span = Math.log(1.02 / 0.98)
  return { returnC: (more.returnC - less.returnC) / span, roomC: (more.roomC - less.roomC) / span }
}

/** Derivatives of ln(LMTD^n) by return and, negated, by room, 1/K; u and v are supply and return over the room. */
function logHeatSlopes(u: number, v: number): { readonly byReturn: number; readonly byRoom: number } {
  const ratio = Math.log(u / v)
  const mean = (u - v) / ratio
  const byV = (mean / v - 1) / ratio
  const byU = (1 - mean / u) / ratio
  return { byReturn: (EXPONENT * byV) / mean, byRoom: (EXPONENT * (byU + byV)) / mean }
}

it('changes return and room with the flow by the derivatives of the balances', () => {
  const cases = [
    [48, 42],
    [50, 40],
    [55, 45],
    [45, 38],
  ] as const
  const rows = cases.map(([supplyC, returnC]) => {
    const drop = supplyC - returnC
    const lift = ROOM_C - OUTSIDE_C
    const { byReturn, byRoom } = logHeatSlopes(supplyC - ROOM_C, returnC - ROOM_C)
    const perReturn = byReturn / (1 + byRoom * lift)
    const law = {
      fast: 1 / (1 / drop + byReturn),
      steady: 1 / (1 / drop + perReturn),
      room: (lift * perReturn) / (1 / drop + perReturn),
    }
    const fast = slopes(supplyC, returnC, stillRoom).returnC
    const steady = slopes(supplyC, returnC, dwelling)
    expect(Math.abs(fast / law.fast - 1)).toBeLessThan(0.01)
    expect(Math.abs(steady.returnC / law.steady - 1)).toBeLessThan(0.01)
    expect(Math.abs(steady.roomC / law.room - 1)).toBeLessThan(0.01)
    const pair = (theirs: number, ours: number): string => `${theirs.toFixed(2)} / ${ours.toFixed(2)}`
    return [
      `${supplyC}/${returnC} °C`,
      pair(law.fast, fast),
      pair(law.steady, steady.returnC),
      pair(law.room, steady.roomC),
    ]
  })
  expectReported({
    id: 'thermal-sensitivity',
    title: 'What a valve does to return and room',
    about:
      'Derivatives by the logarithm of flow, in K, of a flat with radiators (n = 1.3) at 20 °C inside and −5 °C outside: by formula / measured on the households’ model by flows 2 % to either side. With θ the drop of the water: 1/(1/θ + a), a = ∂ln(LMTD^n)/∂T_r, while the room is as it was; at rest a/(1 + b·(T_i − T_o)) instead of a, b = −∂ln(LMTD^n)/∂T_i. Return answers about three times as much as the room: it tells of flow, not of comfort. Bound 1 %.',
    head: ['supply/return', 'return, room as it was', 'return, at rest', 'room, at rest'],
    rows,
  })
})
