import { expect, test } from 'vitest'
import { runAsCaller } from '../current-caller.ts'
import { createCallerGate } from './caller-gate.ts'

test('the calls of one caller delay another by one task, and only they are refused', async () => {
  const started: string[] = []
  const ends: (() => void)[] = []
  const gate = createCallerGate({ running: 1, waiting: 3 })
  const enter = (caller: string) =>
    runAsCaller(caller, () =>
      gate(async () => {
        started.push(caller)
        await new Promise<void>((end) => ends.push(end))
      }),
    )
  const busy = Array.from({ length: 4 }, () => enter('busy'))
  await expect(enter('busy')).rejects.toMatchObject({ code: 'request.too-many' })
  const colleague = enter('colleague')
  ends[0]?.()
  await expect.poll(() => started).toEqual(['busy', 'colleague'])
  for (let index = 1; index < 5; index += 1) {
    await expect.poll(() => ends.length).toBe(index + 1)
    ends[index]?.()
  }
  await Promise.all([...busy, colleague])
})

test('a waiting call that nobody waits for any more gives up its place, and one that runs goes on', async () => {
  const started: string[] = []
  const ended = Promise.withResolvers<void>()
  const gate = createCallerGate({ running: 1, waiting: 2 })
  const leave = new AbortController()
  const enter = (name: string, left?: AbortSignal) =>
    runAsCaller(
      'busy',
      () =>
        gate(async () => {
          started.push(name)
          await ended.promise
          return name
        }),
      left,
    )
  const running = enter('running', leave.signal)
  const gone = [enter('gone', leave.signal), enter('gone', leave.signal)]
  await expect(enter('refused')).rejects.toMatchObject({ code: 'request.too-many' })
  leave.abort(new Error('left'))
  for (const call of gone) await expect(call).rejects.toThrow('left')
  await expect(enter('late', leave.signal)).rejects.toThrow('left')
  const present = [enter('present'), enter('present')]
  ended.resolve()
  await expect(Promise.all([running, ...present])).resolves.toEqual(['running', 'present', 'present'])
  expect(started).toEqual(['running', 'present', 'present'])
})
