import { describe, expect, it } from 'vitest'
import {
  type AbortReason,
  type CommandCount,
  findAbort,
  hasTooManyUnanswered,
  type LoopReadings,
  type RoundLimits,
  type WaveLimits,
} from './find-abort.ts'

const round: RoundLimits = { maxUnansweredShare: 0.03, coldRooms: 9 }
const wave: WaveLimits = {
  minHeadKpa: 56,
  maxHeadKpa: 104,
  minFlowM3H: [
    [11, 0.7],
    [12, 1.4],
    [13, 0.7],
    [14, 0.7],
  ],
}
const asPredicted: LoopReadings = {
  headKpa: 80,
  coldRooms: 9,
  flowM3H: new Map([
    [11, 1],
    [12, 2],
    [13, 1],
    [14, 1],
    [99, 0],
  ]),
}

const flows = (...changes: readonly (readonly [number, number])[]) => ({
  flowM3H: new Map([...asPredicted.flowM3H, ...changes]),
})
const only = (...given: readonly (readonly [number, number])[]) => ({ flowM3H: new Map(given) })

interface Case {
  readonly name: string
  readonly seen?: Partial<LoopReadings>
  readonly commands?: CommandCount
  readonly limits?: Partial<WaveLimits>
  readonly abort: AbortReason | undefined
}

const cases: readonly Case[] = [
  { name: 'all as predicted', abort: undefined },
  {
    name: '3 % unanswered',
    commands: { given: 100, unanswered: 3 },
    abort: undefined,
  },
  {
    name: 'more than 3 % unanswered',
    commands: { given: 100, unanswered: 4 },
    abort: { kind: 'unanswered', share: 0.04 },
  },
  {
    name: '10 % answered and did not arrive',
    commands: { given: 20, unanswered: 3, missed: 2 },
    abort: undefined,
  },
  {
    name: '10 % did not arrive, and 10 % did not answer',
    commands: { given: 20, unanswered: 4, missed: 2 },
    abort: { kind: 'unanswered', share: 0.2 },
  },
  {
    name: 'two of three valves did not arrive',
    commands: { given: 3, unanswered: 2, missed: 2 },
    abort: undefined,
  },
  {
    name: 'more than a quarter of all valves did not arrive',
    commands: { given: 20, unanswered: 6, missed: 6 },
    abort: { kind: 'unanswered', share: 0.3 },
  },
  {
    name: 'a quarter of many valves did not arrive',
    commands: { given: 100, unanswered: 25, missed: 25 },
    abort: undefined,
  },
  { name: 'one valve of a few', commands: { given: 8, unanswered: 1 }, abort: undefined },
  {
    name: 'two valves of a few',
    commands: { given: 8, unanswered: 2 },
    abort: { kind: 'unanswered', share: 0.25 },
  },
  { name: 'no command at all', commands: { given: 0, unanswered: 0 }, abort: undefined },
  { name: 'head at its least', seen: { headKpa: 56 }, abort: undefined },
  { name: 'head at its largest', seen: { headKpa: 104 }, abort: undefined },
  { name: 'head too low', seen: { headKpa: 55 }, abort: { kind: 'head-outside', headKpa: 55 } },
  { name: 'head too high', seen: { headKpa: 105 }, abort: { kind: 'head-outside', headKpa: 105 } },
  { name: 'a building at 71 % of its flow', seen: flows([12, 1.42]), abort: undefined },
  {
    name: 'buildings below 70 % of their flow',
    seen: flows([12, 1.38], [14, 0]),
    abort: { kind: 'starved', deviceIds: [12, 14] },
  },
  {
    name: 'no flow where none was predicted',
    limits: { minFlowM3H: [[11, 0]] },
    seen: flows([11, 0]),
    abort: undefined,
  },
  { name: 'as many more cold rooms as usually vary', seen: { coldRooms: 12 }, abort: undefined },
  {
    name: 'more cold rooms than that',
    seen: { coldRooms: 13 },
    abort: { kind: 'cold-rooms', before: 9, now: 13 },
  },
  { name: 'fewer cold rooms', seen: { coldRooms: 0 }, abort: undefined },
  { name: 'half of the flows seen', seen: only([11, 1], [12, 2]), abort: undefined },
  { name: 'fewer than half of them', seen: only([11, 1]), abort: { kind: 'not-measured' } },
  { name: 'no head', seen: { headKpa: undefined }, abort: { kind: 'not-measured' } },
  {
    name: 'no meters anywhere, and the head',
    limits: { minFlowM3H: [] },
    seen: only(),
    abort: undefined,
  },
  {
    name: 'a starved building where little else is seen',
    seen: { ...only([11, 0.5]), headKpa: undefined },
    abort: { kind: 'starved', deviceIds: [11] },
  },
]

describe('readings while a wave settles', () => {
  it.each(cases)('$name', ({ seen, commands = { given: 4, unanswered: 0 }, limits, abort }) => {
    const found = findAbort(round, { ...wave, ...limits }, { ...asPredicted, ...seen }, commands)
    expect(found).toEqual(abort)
  })

  it('allows one more cold room where there was none', () => {
    const warm = { ...round, coldRooms: 0 }
    const findWith = (coldRooms: number) =>
      findAbort(warm, wave, { ...asPredicted, coldRooms }, { given: 4, unanswered: 0 })
    expect(findWith(1)).toBeUndefined()
    expect(findWith(2)).toEqual({ kind: 'cold-rooms', before: 0, now: 2 })
  })
})

it('accepts one lost valve in a small rollback, and 3 % in a large one', () => {
  const isTooMany = (given: number, unanswered: number) => hasTooManyUnanswered({ given, unanswered }, 0.03)
  expect([isTooMany(8, 1), isTooMany(8, 2), isTooMany(100, 3), isTooMany(100, 4)]).toEqual([
    false,
    true,
    false,
    true,
  ])
})
