import { expect, test } from 'vitest'
import { runAsCaller } from '../current-caller.ts'
import { createCallerGate } from './caller-gate.ts'

test('the calls of one caller delay another by one task, and only they are refused', async () => {
  const started: string[] = []
  const ends: (() => void)[] = []
  const gate = createCallerGate({ running: 1, waiting: 3, refuse: () => new Error('too many') })
  const enter = (caller: string) =>
    runAsCaller(caller, () =>
      gate(async () => {
        started.push(caller)
        await new Promise<void>((end) => ends.push(end))
      }),
    )
  const busy = Array.from({ length: 4 }, () => enter('busy'))
  await expect(enter('busy')).rejects.toThrow('too many')
  const colleague = enter('colleague')
  ends[0]?.()
  await expect.poll(() => started).toEqual(['busy', 'colleague'])
  for (let index = 1; index < 5; index += 1) {
    await expect.poll(() => ends.length).toBe(index + 1)
    ends[index]?.()
  }
  await Promise.all([...busy, colleague])
})
