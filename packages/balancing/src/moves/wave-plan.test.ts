import { expect, test } from 'vitest'
import { invert } from '../invert/invert.ts'
import { createSampleLoop, filled } from '../loop/sample-loop.testkit.ts'
import { planRollback, planWaves, type WaveOrder } from './wave-plan.ts'

const COUNT = 24
const loop = createSampleLoop(COUNT)
const before = Float64Array.from({ length: COUNT }, (_, i) => (i < 16 ? 0.9 : 0.4))
const { openings, headPa } = invert(loop, {
  targetKgS: filled(COUNT, 1),
  openings: before,
  isFixed: new Uint8Array(COUNT),
  servedShare: 1,
  shortRms: 0,
  shortage: 'shared',
  leastOpening: 0.1,
  indexOpening: 0.95,
  pump: { kind: 'free', mostHeadPa: 1e6 },
})
const order: WaveOrder = {
  openings: before,
  headPa: 1.3 * headPa,
  finalHeadPa: headPa,
  moves: Array.from(openings, (to, consumer) => ({ consumer, from: before[consumer] ?? 0, to })),
  pump: { kind: 'free', mostHeadPa: 1e6 },
  closingWaves: 3,
}

test('the head falls first, consumers with too little flow open next, then the others close in waves, the far ones first', () => {
  const plan = planWaves(loop, order)
  expect(plan.steps.map(({ kind }) => kind)).toEqual(['pump', 'open', 'close', 'close', 'close'])
  const closing = plan.steps.flatMap((step) => (step.kind === 'close' ? step.moves : []))
  expect(closing.length).toBe(order.moves.filter(({ from, to }) => to < from).length)
  expect(closing.findIndex(({ consumer }) => consumer === 15)).toBeLessThan(
    closing.findIndex(({ consumer }) => consumer === 0),
  )
})

test('a pump whose head must rise does so last', () => {
  const rising = planWaves(loop, { ...order, headPa: headPa / 2 })
  expect(rising.steps.at(-1)).toMatchObject({ kind: 'pump', headPa })
  expect(rising.steps[0]?.kind).toBe('open')
})

test('a closing wave takes no flow from valves that close later', () => {
  const plan = planWaves(loop, order)
  const closing = plan.steps.filter((step) => step.kind === 'close')
  closing.forEach((step, index) => {
    const next = closing[index + 1]
    if (next?.kind !== 'close') return
    const later = closing.slice(index + 2).flatMap((wave) => (wave.kind === 'close' ? wave.moves : []))
    for (const { consumer } of later)
      expect(next.after.flowKgS[consumer]).toBeGreaterThan((step.after.flowKgS[consumer] ?? 0) - 1e-9)
  })
})

test('after the last step the flows are the targets', () => {
  const plan = planWaves(loop, order)
  for (const flow of plan.steps.at(-1)?.after.flowKgS ?? []) expect(flow).toBeCloseTo(1, 4)
})

test('every step allows 70 % of each predicted flow and 30 % around the predicted head', () => {
  const plan = planWaves(loop, order)
  expect(plan.mostUnanswered).toBe(0.03)
  for (const { after } of plan.steps) {
    after.flowKgS.forEach((flow, i) => {
      expect(after.leastFlowKgS[i]).toBeCloseTo(0.7 * flow, 9)
    })
    expect(after.leastHeadPa).toBeCloseTo(0.7 * after.headPa, 6)
    expect(after.mostHeadPa).toBeCloseTo(1.3 * after.headPa, 6)
  }
})

test('a rollback restores the openings and the head, whichever step was the last', () => {
  const plan = planWaves(loop, order)
  for (let done = 0; done <= plan.steps.length; done++) {
    const back = planRollback(loop, order, plan.steps.slice(0, done))
    const position = before.slice()
    for (const step of plan.steps.slice(0, done)) {
      if (step.kind !== 'pump') for (const { consumer, to } of step.moves) position[consumer] = to
    }
    for (const step of back.steps) {
      if (step.kind !== 'pump') for (const { consumer, to } of step.moves) position[consumer] = to
    }
    expect(position).toEqual(before)
    if (done > 0) expect(back.steps.at(-1)).toMatchObject({ kind: 'pump', headPa: order.headPa })
  }
})
