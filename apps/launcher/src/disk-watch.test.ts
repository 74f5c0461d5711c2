import { expect, test } from 'vitest'
import { createDiskWatch, findFullDisk } from './disk-watch.ts'

test('each change of the disk state is reported once, and before the disk is full', async () => {
  const lines: string[] = []
  let freeBytes = 50e9
  const read = async () => ({ freeBytes, totalBytes: 100e9 })
  const watch = createDiskWatch('/data', (line) => lines.push(line), read)
  for (const free of [50e9, 9e9, 8e9, 1.5e9, 0, 9e9, 50e9]) {
    freeBytes = free
    await watch.check()
  }
  expect(lines).toEqual([
    'the disk is filling up: 9.0 of 100.0 GB free (/data)',
    'the disk is nearly full, writes will fail soon: 1.5 of 100.0 GB free (/data); free space now',
    'the disk is filling up: 9.0 of 100.0 GB free (/data)',
    'the disk has room again: 50.0 of 100.0 GB free (/data)',
  ])
})

test('a full disk prevents a start; a disk whose space is unknown does not', async () => {
  const full = await findFullDisk('/data', async () => ({ freeBytes: 10e6, totalBytes: 1e9 }))
  expect(full).toMatch(/the disk of .data is full; free at least 64 MB/)
  expect(await findFullDisk('/data', async () => ({ freeBytes: 1e9, totalBytes: 1e9 }))).toBeUndefined()
  expect(await findFullDisk('/nowhere/at/all')).toBeUndefined()
})
