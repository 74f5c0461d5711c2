import { expect, test } from 'vitest'
import { sampleCampaign } from '../campaign-samples.testkit.ts'
import { countOrdered, isHeadOrdered, toOrderFigures } from './order-figures.ts'

const step = (
  round: number,
  kind: 'open' | 'close' | 'back',
  valves: number,
  state: 'waiting' | 'given' | 'done',
) => ({
  round,
  kind,
  valves,
  state,
  unanswered: 0,
})

test('an approval counts the waiting waves of its round', () => {
  const steps = [step(1, 'open', 9, 'done'), step(2, 'open', 4, 'waiting'), step(2, 'close', 3, 'waiting')]
  expect(toOrderFigures({ steps, round: 2 })).toEqual({
    waves: 2,
    moves: 7,
    open: 4,
    close: 3,
    head: undefined,
  })
  expect(toOrderFigures(sampleCampaign({ steps: [] }))).toEqual({
    waves: 0,
    moves: 0,
    open: 0,
    close: 0,
    head: undefined,
  })
})

test('the head is part of an approval, and of a rollback once it was set', () => {
  const pump = { deviceId: 9, fromKpa: 197, toKpa: 121 }
  const wave = { round: 1, kind: 'pump', valves: 0, unanswered: 0, pump } as const
  const steps = [{ ...wave, state: 'waiting' } as const, step(1, 'close', 3, 'waiting')]
  expect(toOrderFigures({ steps, round: 1 })).toMatchObject({ waves: 2, moves: 3, head: pump })
  expect(isHeadOrdered({ steps })).toBe(false)
  expect(isHeadOrdered({ steps: [{ ...wave, state: 'given' }] })).toBe(true)
})

test('waiting waves do not count as sent; after a trim the number of valves is unknown', () => {
  const steps = [step(1, 'open', 5, 'done'), step(1, 'close', 4, 'given'), step(1, 'close', 3, 'waiting')]
  expect(countOrdered({ steps, round: 1 })).toBe(9)
  expect(countOrdered({ steps: [...steps, step(2, 'open', 3, 'done')], round: 2 })).toBeUndefined()
})
