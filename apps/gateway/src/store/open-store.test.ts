import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openStore } from './open-store.ts'
import { createOutbox } from './outbox.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close()
})

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-store-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  return folder
}

function open(folder: string) {
  const problems: string[] = []
  const store = openStore(folder, (text) => problems.push(text))
  closers.push(() => store.db.isOpen && store.close())
  return { store, problems }
}

test('a damaged file is set aside and reported, and the gateway starts with a new one', () => {
  const folder = createFolder()
  const path = join(folder, 'gateway.sqlite')
  const first = open(folder)
  first.store.write('boot', 7)
  first.store.close()
  // The first page, as after a power failure of a cheap memory card.
  writeFileSync(path, readFileSync(path).fill(0x5a, 0, 4_096))
  const { store, problems } = open(folder)
  expect(problems).toEqual([expect.stringMatching(/^the store is damaged and was set aside as /)])
  expect(store.read('boot')).toBeUndefined()
  store.write('boot', 8)
  expect(readdirSync(folder).filter((name) => name.includes('damaged'))).toHaveLength(1)
})

test.each(['batch', 'setting', 'batch_waiting'])(
  'a file that is damaged behind its first page, in %s, is set aside too',
  (name) => {
    const folder = createFolder()
    const path = join(folder, 'gateway.sqlite')
    const first = open(folder)
    const page = Number(
      first.store.db.prepare('select rootpage from sqlite_schema where name = ?').get(name)?.rootpage,
    )
    first.store.write('boot', 7)
    first.store.close()
    writeFileSync(path, readFileSync(path).fill(0x5a, (page - 1) * 4_096, page * 4_096))
    const { store, problems } = open(folder)
    expect(problems).toEqual([expect.stringMatching(/^the store is damaged and was set aside as /)])
    expect(createOutbox({ store, now: Date.now, maxBytes: 1e6, onDropped: () => undefined }).size).toBe(0)
    expect(readdirSync(folder).filter((file) => file.includes('damaged'))).toHaveLength(1)
  },
)

test('a log that ends within a commit, as after a power failure, leaves the commits before it', () => {
  const folder = createFolder()
  const { store } = open(folder)
  store.commit(() => store.write('boot', 7))
  const whole = readFileSync(join(folder, 'gateway.sqlite-wal'))
  store.commit(() => store.write('boot', 8))
  const log = readFileSync(join(folder, 'gateway.sqlite-wal'))
  const database = readFileSync(join(folder, 'gateway.sqlite'))
  const other = createFolder()
  writeFileSync(join(other, 'gateway.sqlite'), database)
  // The bytes in which the last commit differs are only half written.
  const from = log.findIndex((byte, at) => byte !== whole[at])
  writeFileSync(
    join(other, 'gateway.sqlite-wal'),
    Buffer.concat([log.subarray(0, from + 2_000), whole.subarray(from + 2_000)]),
  )
  const { store: restored, problems } = open(other)
  expect([restored.read('boot'), problems]).toEqual(['7', []])
})
