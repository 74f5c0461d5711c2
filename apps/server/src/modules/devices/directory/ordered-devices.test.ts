import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DirectoryEntry, PlacedListener } from '../../devices/index.ts'
import { createOrderedDevices, devicesBelow } from './ordered-devices.ts'

const toEntry = (id: number, path: string): DirectoryEntry => ({
  id,
  path: `${path}d${id}/`,
  tenant: 'demo',
  serial: `d${id}`,
  kind: 'valve',
  concentratorId: undefined,
  periodS: 60,
})

/** A directory that notifies of every change, like the real one. */
function createBench() {
  const byId = new Map<number, DirectoryEntry>()
  let listener: PlacedListener = () => undefined
  const ordered = createOrderedDevices({
    entries: () => byId.values(),
    findById: (id) => byId.get(id),
    onPlaced(added) {
      listener = added
      return () => undefined
    },
  })
  return {
    ordered,
    put(id: number, path: string | undefined) {
      const before = byId.get(id)
      const now = path === undefined ? undefined : toEntry(id, path)
      if (now) byId.set(id, now)
      else byId.delete(id)
      listener(now ? [now] : [], before ? [before] : [])
    },
    listAll: () => [...byId.values()].map(({ path }) => path).sort(),
  }
}

const path = fc
  .array(fc.constantFrom('1', '2', '10', '19', '100'), { minLength: 1, maxLength: 4 })
  .map((steps) => `/${steps.join('/')}/`)
const change = fc.record({ id: fc.integer({ min: 1, max: 30 }), path: fc.option(path, { nil: undefined }) })

test('devices that are added, moved and removed between or during reads are listed once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 20 }), { maxLength: 5 }), async (batches) => {
      const bench = createBench()
      for (const batch of batches) {
        const during = bench.ordered.read()
        for (const { id, path: to } of batch) bench.put(id, to)
        await during
        expect((await bench.ordered.read()).map((device) => device.path)).toEqual(bench.listAll())
      }
    }),
  )
})

test('each device below paths is listed once, also if the paths overlap or a path is a device', async () => {
  const bench = createBench()
  for (const [id, to] of [
    [1, '/1/5/'],
    [2, '/1/5/6/'],
    [3, '/1/50/'],
    [4, '/1/7/'],
  ] as const)
    bench.put(id, to)
  const below = [...devicesBelow(await bench.ordered.read(), ['/1/5/', '/1/5/6/', '/1/7/d4/'])]
  expect(below.map(({ id }) => id)).toEqual([2, 1, 4])
})

test('sorting many devices yields to the event loop', async () => {
  const bench = createBench()
  for (let id = 1; id <= 60_000; id += 1) bench.put(id, `/1/${(id * 7919) % 60_000}/`)
  let turns = 0
  let isDone = false
  const reading = bench.ordered.read().finally(() => {
    isDone = true
  })
  for (; !isDone; turns += 1) await turn()
  expect((await reading).map((device) => device.path)).toEqual(bench.listAll())
  expect(turns).toBeGreaterThan(15)
})
