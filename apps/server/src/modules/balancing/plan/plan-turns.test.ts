import { expect, test } from 'vitest'
import { runAsCaller } from '../../../platform/tasks/current-caller.ts'
import { runInSlices } from '../../../platform/tasks/turns/run-in-slices.ts'
import { createPlanTurns } from './plan-turns.ts'

function* count(upTo: number, seen: string[], name: string): Generator<undefined, number> {
  for (let at = 1; at <= upTo; at++) {
    seen.push(`${name}${at}`)
    yield
  }
  return upTo
}

test('plans run one at a time, whether the one before failed or not', async () => {
  const seen: string[] = []
  const inTurn = createPlanTurns()
  const first = inTurn(async () => {
    await runInSlices(count(2, seen, 'a'))
    throw new Error('in vain')
  })
  const second = inTurn(() => runInSlices(count(2, seen, 'b')))
  await expect(first).rejects.toThrow('in vain')
  expect(await second).toBe(2)
  expect(seen).toEqual(['a1', 'a2', 'b1', 'b2'])
})

test('plans without number that a caller requests delay the campaigns that run by one plan', async () => {
  const seen: string[] = []
  const inTurn = createPlanTurns()
  const many = runAsCaller('busy', () =>
    Promise.all(Array.from({ length: 33 }, () => inTurn(() => runInSlices(count(1, seen, 'busy'))))),
  )
  const more = runAsCaller('busy', () => inTurn(async () => 0))
  await expect(more).rejects.toMatchObject({ code: 'request.too-many' })
  await inTurn(() => runInSlices(count(1, seen, 'campaign')))
  expect(seen.slice(0, 3)).toEqual(['busy1', 'campaign1', 'busy1'])
  await many
})
