import { expect, test } from 'vitest'
import { createLog } from '../../../platform/log.ts'
import { type RegistryChange, toRegistryPayloads } from '../../../platform/signals/registry-signal.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { createDirectory, type DirectoryEntry, type DirectoryReader } from './directory.ts'

const toEntry = (id: number, given: Partial<DirectoryEntry> = {}): DirectoryEntry => ({
  id,
  tenant: 'demo',
  serial: `S${id}`,
  kind: 'valve',
  path: `/1/${id}/d${id}/`,
  concentratorId: undefined,
  periodS: 60,
  ...given,
})

/** A registry that records its reads, and signals that the test sends. */
function createStored(entries: readonly DirectoryEntry[]) {
  const stored = new Map(entries.map((entry) => [entry.id, entry]))
  const reads: string[] = []
  let current: (payload: string | undefined) => void = () => undefined
  let failures = 0
  const fail = () => {
    if (failures === 0) return
    failures -= 1
    throw new Error('the database is unavailable')
  }
  const reader: DirectoryReader = {
    async readPage(afterId) {
      reads.push(`after ${afterId}`)
      fail()
      const later = [...stored.values()].filter(({ id }) => id > afterId)
      return later.toSorted((left, right) => left.id - right.id).slice(0, 2)
    },
    async readDevices(ids) {
      reads.push(`ids ${ids.join()}`)
      fail()
      return ids.flatMap((id) => stored.get(id) ?? [])
    },
    async listBelow(path) {
      reads.push(`below ${path}`)
      return [...stored.values()].filter((entry) => entry.path.startsWith(path)).map(({ id }) => id)
    },
  }
  return {
    stored,
    reads,
    reader,
    signals: {
      listen(_channel: string, listener: (payload: string | undefined) => void) {
        current = listener
        return () => undefined
      },
    },
    failNext: (count: number) => (failures = count),
    send: (payload: string | undefined) => current(payload),
    change(change: RegistryChange) {
      for (const payload of toRegistryPayloads(change)) current(payload)
    },
  }
}

const log = createLog({ logLevel: 'silent' })

async function open(entries: readonly DirectoryEntry[]) {
  const registry = createStored(entries)
  const clock = createTestClock()
  const directory = await createDirectory(registry.reader, registry.signals, clock, log)
  const events: (readonly [string[], string[]])[] = []
  directory.onPlaced((placed, left) => {
    events.push([placed.map(({ path }) => path), left.map(({ path }) => path)])
  })
  registry.reads.length = 0
  return { ...registry, clock, directory, events }
}

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

test('reads the whole registry in parts', async () => {
  const { directory } = await open([toEntry(1), toEntry(2), toEntry(3), toEntry(4), toEntry(5)])
  expect([...directory.entries()].map(({ id }) => id)).toEqual([1, 2, 3, 4, 5])
  expect(directory.find('demo', 'S3')).toBe(directory.findById(3))
})

test('reads only the devices that a change names', async () => {
  const { directory, stored, change, reads, events } = await open([toEntry(1), toEntry(2)])
  const first = directory.findById(1)
  stored.set(2, toEntry(2, { path: '/1/9/d2/' }))
  stored.set(3, toEntry(3))
  change({ kind: 'devices', ids: [2, 3] })
  await turns()
  expect(reads).toEqual(['ids 2,3'])
  expect(directory.findById(1)).toBe(first)
  expect(events).toEqual([[['/1/9/d2/', '/1/3/d3/'], ['/1/2/d2/']]])
})

test('a caller who changed devices waits until their entries are current, also where another read is at its end', async () => {
  const { directory, stored, change, failNext, reads } = await open([toEntry(1), toEntry(2)])
  stored.set(1, toEntry(1, { login: { version: 1, isRevoked: false } }))
  await directory.readChanged([1])
  expect(directory.findById(1)?.login?.version).toBe(1)

  change({ kind: 'devices', ids: [2] })
  for (let version = 2; version < 12; version += 1) {
    stored.set(1, toEntry(1, { login: { version, isRevoked: false } }))
    const followed = directory.readChanged([1])
    await followed
    expect(directory.findById(1)?.login?.version).toBe(version)
    // At each length of this wait the last read is at another step of its end.
    for (let turn = 0; turn < version; turn += 1) await Promise.resolve()
  }

  // A registry that cannot be read keeps nobody waiting.
  failNext(1)
  reads.length = 0
  await directory.readChanged([1])
  expect(reads).toEqual(['ids 1'])
})

test('notifies of a device with another concentrator or period, not of a renamed one', async () => {
  const { stored, change, events } = await open([toEntry(1), toEntry(2), toEntry(3)])
  stored.set(1, toEntry(1, { periodS: 900 }))
  stored.set(2, toEntry(2, { concentratorId: 3 }))
  stored.set(3, toEntry(3, { serial: 'other' }))
  change({ kind: 'devices', ids: [1, 2, 3] })
  await turns()
  expect(events).toEqual([[['/1/1/d1/', '/1/2/d2/'], []]])
})

test('removes a removed device by id and by serial', async () => {
  const { directory, stored, change, events } = await open([toEntry(1), toEntry(2)])
  stored.delete(2)
  change({ kind: 'devices', ids: [2] })
  await turns()
  expect([directory.findById(2), directory.find('demo', 'S2')]).toEqual([undefined, undefined])
  expect(events).toEqual([[[], ['/1/2/d2/']]])
})

test('reads the devices below the new place of a moved subtree', async () => {
  const { directory, stored, change, reads, events } = await open([toEntry(1), toEntry(2)])
  stored.set(2, toEntry(2, { path: '/7/1/2/d2/' }))
  change({ kind: 'below', paths: ['/7/1/'] })
  await turns()
  expect(reads).toEqual(['below /7/1/', 'ids 2'])
  expect(directory.findById(2)?.path).toBe('/7/1/2/d2/')
  expect(events).toEqual([[['/7/1/2/d2/'], ['/1/2/d2/']]])
})

test('reads everything after missed signals, and notifies only of differences', async () => {
  const { directory, stored, send, events } = await open([toEntry(1), toEntry(2), toEntry(3)])
  const first = directory.findById(1)
  stored.delete(2)
  stored.set(9, toEntry(9))
  send(undefined)
  await turns()
  expect([...directory.entries()].map(({ id }) => id)).toEqual([1, 3, 9])
  expect(directory.findById(1)).toBe(first)
  expect(events).toEqual([
    [['/1/9/d9/'], []],
    [[], ['/1/2/d2/']],
  ])
})

test('a device that gets the serial of another is found by it, in any order of reads', async () => {
  const { directory, stored, change } = await open([toEntry(1), toEntry(2)])
  stored.set(1, toEntry(1, { serial: 'S2' }))
  stored.set(2, toEntry(2, { serial: 'S1' }))
  change({ kind: 'devices', ids: [1, 2] })
  await turns()
  expect([directory.find('demo', 'S2')?.id, directory.find('demo', 'S1')?.id]).toEqual([1, 2])
})

test('changes during a read are read together after it', async () => {
  const { directory, stored, change, reads } = await open([toEntry(1)])
  for (const id of [2, 3, 4]) {
    stored.set(id, toEntry(id))
    change({ kind: 'devices', ids: [id] })
  }
  await turns()
  expect(reads).toEqual(['ids 2', 'ids 3,4'])
  expect(directory.findById(4)).toBeDefined()
})

test('a failed read is retried a second later with all its parts', async () => {
  const { directory, stored, change, failNext, clock } = await open([toEntry(1)])
  failNext(1)
  stored.set(2, toEntry(2))
  change({ kind: 'devices', ids: [2] })
  await turns()
  expect(directory.findById(2)).toBeUndefined()
  clock.advance(1_000)
  await turns()
  expect(directory.findById(2)).toBeDefined()
})

test('lists the devices below paths, also right after a change and while the order is made anew', async () => {
  const { directory, stored, change } = await open([
    toEntry(1, { path: '/1/2/d1/' }),
    toEntry(2, { path: '/1/9/d2/' }),
  ])
  const list = () => [...directory.below(['/1/2/', '/1/2/d1/'])].map(({ id }) => id)
  expect(list()).toEqual([1])
  await directory.ordered.read()
  expect(directory.ordered.current()).toBeDefined()
  expect(list()).toEqual([1])
  stored.set(2, toEntry(2, { path: '/1/2/d2/' }))
  change({ kind: 'devices', ids: [2] })
  await turns()
  expect(directory.ordered.current()).toBeUndefined()
  expect(list()).toEqual([1, 2])
  await directory.ordered.read()
  expect(list()).toEqual([1, 2])
})
