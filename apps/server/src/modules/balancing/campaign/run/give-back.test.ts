import type { Direction } from '@isotherm/balancing/moves/judge-direction'
import { describe, expect, it, test } from 'vitest'
import type { RoundPlan } from '../../plan/planner.ts'
import type { StoredStep } from '../storage/campaign-rounds.pg.ts'
import {
  findGiveBack,
  type GiveBackOrder,
  leaveOutInverted,
  listInverted,
  watchByFlowBefore,
  withoutInverted,
} from './give-back.ts'

const VALVE = 7
const HEALTHY = 8

const wave = (moves: StoredStep['moves'], more: Partial<StoredStep> = {}): StoredStep => ({
  round: 1,
  step: 1,
  kind: 'close',
  moves,
  pump: null,
  state: 'done',
  batchId: 'sent',
  moved: moves.length,
  answeredAt: 1,
  unanswered: 0,
  missed: [],
  ...more,
})

const move = (fromPct: number, toPct: number, deviceId = VALVE) => ({ deviceId, fromPct, toPct })

/** A plan of two valves with 1 m³/h each, at a head of 100 kPa. */
const plan = {
  station: { before: { headKpa: 100 }, expected: {} },
  members: [VALVE, HEALTHY].map((deviceId) => ({
    deviceId,
    deviceName: '',
    node: '',
    nestaddr: '',
    areaM2: 1,
    before: { openingPct: 50, flowM3H: 1 },
    expected: { openingPct: 50 },
  })),
} satisfies Pick<RoundPlan, 'members' | 'station'>

const giveBack = (
  direction: Direction,
  steps: readonly StoredStep[],
  { flow, headKpa, ...more }: { flow?: number; headKpa?: number } & Partial<GiveBackOrder>,
) =>
  findGiveBack({
    steps,
    plan,
    directions: new Map([[VALVE, direction]]),
    seen: { flowM3H: new Map(flow === undefined ? [] : [[VALVE, flow]]), headKpa },
    ...more,
  })

describe('an inverted valve that has lost flow', () => {
  it('gets the order that leads to what it had: 100 − x for the x that it reported first', () => {
    expect(giveBack('inverted', [wave([move(90, 70)])], { flow: 0.5 })).toEqual([move(70, 10)])
    const again = [wave([move(90, 70)]), wave([move(30, 60)])]
    expect(giveBack('inverted', again, { flow: 0.5 })).toEqual([move(60, 10)])
  })

  it('gets it once', () => {
    expect(giveBack('inverted', [wave([move(90, 70)]), wave([move(70, 10)])], { flow: 0.5 })).toEqual([])
  })

  it('stays without a command of the campaign', () => {
    expect(giveBack('inverted', [], { flow: 0.5 })).toEqual([])
    expect(giveBack('inverted', [wave([move(90, 70)], { batchId: null })], { flow: 0.5 })).toEqual([])
  })
})

describe('a loss of flow', () => {
  const steps = [wave([move(90, 70)])]

  it('is more than a tenth of the flow before', () => {
    expect(giveBack('inverted', steps, { flow: 0.91 })).toEqual([])
    expect(giveBack('inverted', steps, { flow: 0.89 })).toHaveLength(1)
  })

  it('is not what a lower head explains, and a higher head hides none', () => {
    expect(giveBack('inverted', steps, { flow: 0.75, headKpa: 64 })).toEqual([])
    expect(giveBack('inverted', steps, { flow: 0.71, headKpa: 64 })).toHaveLength(1)
    expect(giveBack('inverted', steps, { flow: 0.91, headKpa: 144 })).toEqual([])
  })

  it('must be measured', () => {
    expect(giveBack('inverted', steps, {})).toEqual([])
  })
})

describe('a suspected valve that has lost flow', () => {
  it('gets an order that opens it if its orders did not close it', () => {
    expect(giveBack('suspected', [wave([move(30, 35)])], { flow: 0.5 })).toEqual([move(35, 70)])
    expect(giveBack('suspected', [wave([move(30, 20)]), wave([move(20, 30)])], { flow: 0.5 })).toEqual([
      move(30, 70),
    ])
  })

  it('stays if its orders closed it, unless its building starves', () => {
    const closed = [wave([move(30, 20)])]
    expect(giveBack('suspected', closed, { flow: 0.5 })).toEqual([])
    expect(giveBack('suspected', closed, { flow: 0.5, starved: [HEALTHY] })).toEqual([])
    expect(giveBack('suspected', closed, { flow: 0.5, starved: [VALVE] })).toEqual([move(20, 70)])
  })

  it('never gets an order that closes a valve that follows', () => {
    expect(giveBack('suspected', [wave([move(60, 75)])], { flow: 0.5, starved: [VALVE] })).toEqual([])
  })
})

test('a valve that follows stays, whatever it lost', () => {
  expect(giveBack('usual', [wave([move(30, 35)])], { flow: 0.1, starved: [VALVE] })).toEqual([])
})

const inverted = listInverted(
  new Map<number, Direction>([
    [VALVE, 'inverted'],
    [HEALTHY, 'suspected'],
  ]),
)

test('commands to inverted valves do not count as missed, those to suspected ones do', () => {
  const answered = { unanswered: 3, missed: [VALVE, HEALTHY] }
  expect(withoutInverted(answered, inverted)).toEqual({ unanswered: 2, missed: [HEALTHY] })
})

test('waves are seen without the moves of inverted valves, in any state', () => {
  const steps = [wave([move(90, 70), move(50, 40, HEALTHY)], { unanswered: 1, missed: [VALVE] })]
  expect(leaveOutInverted(steps, inverted)).toMatchObject([
    { moves: [move(50, 40, HEALTHY)], unanswered: 0, missed: [] },
  ])
})

test('an inverted valve is watched by the flow that it had, if less than the planned one', () => {
  const step = {
    kind: 'open' as const,
    moves: [],
    minFlowM3H: [
      [VALVE, 1.5],
      [HEALTHY, 1.5],
    ] as const,
    minHeadKpa: 0,
    maxHeadKpa: 1,
  }
  const round = { ...plan, steps: [step] } as unknown as RoundPlan
  expect(watchByFlowBefore(step, round, inverted).minFlowM3H).toEqual([
    [VALVE, 0.7],
    [HEALTHY, 1.5],
  ])
  const low = { ...step, minFlowM3H: [[VALVE, 0.2]] as const }
  expect(watchByFlowBefore(low, round, inverted).minFlowM3H).toEqual([[VALVE, 0.2]])
})
