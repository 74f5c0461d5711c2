import { expect, test } from 'vitest'
import type { RoundPlan } from '../planner.ts'
import { planLoop } from './small-loop.testkit.ts'

const listClosed = ({ steps }: RoundPlan): readonly number[] =>
  steps.flatMap(({ moves }) => moves.flatMap((move) => (move.toPct < move.fromPct ? move.deviceId : [])))

test('no round closes a valve with a cold room or with rooms colder than the others, and it gives the reason', async () => {
  const first = await planLoop()
  for (const round of [first, await planLoop({ memory: first.memory })]) {
    const limits = round.members.map(({ deviceId, limit }) => [deviceId, limit])
    expect(limits.slice(0, 2)).toEqual([
      [1, 'rooms-cold'],
      [2, 'rooms-colder'],
    ])
    expect(listClosed(round)).toContain(3)
    expect(listClosed(round)).not.toContain(1)
    expect(listClosed(round)).not.toContain(2)
  }
})
