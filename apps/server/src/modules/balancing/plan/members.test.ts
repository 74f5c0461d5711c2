import type { MemberExclusion } from '@isotherm/contract/balancing/campaign'
import { expect, it } from 'vitest'
import { toConsumer } from '../loop/consumer.testkit.ts'
import type { Loop, LoopConsumer } from '../loop/loop.ts'
import type { MeasuredLoop } from '../measurements/measured-loop.ts'
import { areasOf, findReasons, toPoint } from './members.ts'

const withArea = (deviceId: number, areaM2: number | null = 500): LoopConsumer => ({
  ...toConsumer(deviceId, 'radiator'),
  areaM2,
})
const toLoop = (consumers: readonly LoopConsumer[]): Loop => ({
  station: { deviceId: 9, path: '/', periodS: 600 },
  areas: [],
  consumers,
  pipes: [],
})
const filled = (value: number) => new Float64Array(1).fill(value)
const measured: MeasuredLoop = {
  supplyC: filled(45),
  returnC: filled(38),
  meterKgS: filled(1),
  openingPct: filled(50),
  roomC: filled(20),
  rooms: new Map(),
  headPa: 80_000,
  totalKgS: 1,
  outdoorC: 0,
  pumpW: 0,
  stationSupplyC: 45,
  stationReturnC: 38,
}
const nothing = { supplyC: filled(Number.NaN), returnC: filled(Number.NaN) }
const byReturn = { kind: 'temperature', target: 'return' } as const

interface Case {
  readonly name: string
  readonly seen?: Partial<MeasuredLoop>
  readonly mode?: Parameters<typeof findReasons>[2]
  readonly excluded?: MemberExclusion
  readonly broken?: readonly number[]
  readonly openingPct?: number
  readonly reason: MemberExclusion | undefined
}

const cases: readonly Case[] = [
  { name: 'a valve that is measured', reason: undefined },
  { name: 'one without temperatures', seen: nothing, reason: 'not-measured' },
  {
    name: 'one with a meter, for a balance of flows',
    seen: nothing,
    mode: { kind: 'flow' },
    reason: undefined,
  },
  {
    name: 'one with neither',
    seen: { ...nothing, meterKgS: filled(Number.NaN) },
    mode: { kind: 'flow' },
    reason: 'not-measured',
  },
  { name: 'one of which nobody knows where it stands', openingPct: Number.NaN, reason: 'not-measured' },
  { name: 'one that did not follow', broken: [0], reason: 'stuck' },
  { name: 'one that is held, whatever it measures', seen: nothing, excluded: 'held', reason: 'held' },
  { name: 'a stuck one that is away', excluded: 'absent', broken: [0], reason: 'absent' },
]

it.each(cases)(
  'leaves out $name: $reason',
  ({ seen, mode = byReturn, excluded, broken = [], openingPct = 50, reason }) => {
    const exclusions = new Map(excluded ? [[1, excluded] as const] : [])
    const loop = toLoop([withArea(1)])
    const found = findReasons(loop, { ...measured, ...seen }, mode, exclusions, broken, filled(openingPct))
    expect(found).toEqual([reason])
  },
)

it('gives a valve without households the mean floor area of the others', () => {
  expect([...areasOf(toLoop([withArea(1, 400), withArea(2, null), withArea(3, 600)]))]).toEqual([
    400, 500, 600,
  ])
  expect([...areasOf(toLoop([withArea(1, null)]))]).toEqual([500])
})

it('a room temperature says whether it is measured or estimated', () => {
  const points = { ...measured, flowKgS: filled(1) }
  expect(toPoint(points, 0, filled(20))).toMatchObject({ roomC: 20, roomSource: 'measured' })
  expect(toPoint(points, 0, filled(Number.NaN))).toMatchObject({ roomC: 20, roomSource: 'estimated' })
  const unknown = toPoint({ ...points, roomC: filled(Number.NaN) }, 0, filled(Number.NaN))
  expect(unknown).not.toHaveProperty('roomSource')
})
