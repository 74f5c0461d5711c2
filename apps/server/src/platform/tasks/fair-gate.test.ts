import { expect, test } from 'vitest'
import { createFairGate, type FairGateLimits } from './fair-gate.ts'

/** A gate whose tasks end when the test says so, and the clients in the order in which their tasks started. */
function createBench(limits: Partial<FairGateLimits>) {
  const gate = createFairGate({
    running: 3,
    runningPerClient: 1,
    waitingPerClient: 100,
    refuse: () => new Error('too many'),
    ...limits,
  })
  const started: { client: string; end: (failed?: Error) => void }[] = []
  const enter = (client: string) =>
    gate(
      client,
      () =>
        new Promise<void>((resolve, reject) => {
          started.push({ client, end: (failed) => (failed ? reject(failed) : resolve()) })
        }),
    )
  const clients = () => started.map(({ client }) => client)
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { enter, started, clients, settle }
}

test('a client with many tasks leaves slots to the others', async () => {
  const { enter, clients, settle } = createBench({})
  for (let index = 0; index < 90; index += 1) void enter('evil')
  void enter('colleague')
  await settle()
  expect(clients()).toEqual(['evil', 'colleague'])
})

test('clients take turns when all slots are used', async () => {
  const { enter, started, clients, settle } = createBench({ running: 1 })
  for (let index = 0; index < 5; index += 1) void enter('evil')
  void enter('colleague')
  await settle()
  started[0]?.end()
  await settle()
  expect(clients()).toEqual(['evil', 'colleague'])
  started[1]?.end()
  await settle()
  expect(clients()).toEqual(['evil', 'colleague', 'evil'])
})

test('a client may wait with a limited number of tasks; another client still may', async () => {
  const { enter, started, settle } = createBench({ waitingPerClient: 2 })
  const tasks = [enter('evil'), enter('evil'), enter('evil')]
  await expect(enter('evil')).rejects.toThrow('too many')
  const other = enter('colleague')
  for (let index = 0; index < 4; index += 1) {
    await settle()
    started[index]?.end()
  }
  await expect(Promise.all([...tasks, other])).resolves.toHaveLength(4)
})

test('a failed task frees its slot', async () => {
  const { enter, started, clients, settle } = createBench({ running: 1 })
  const failing = enter('a')
  void enter('b')
  await settle()
  started[0]?.end(new Error('it fails'))
  await expect(failing).rejects.toThrow('it fails')
  await settle()
  expect(clients()).toEqual(['a', 'b'])
})
