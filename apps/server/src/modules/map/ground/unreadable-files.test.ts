import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkMapFiles } from './check-map-files.ts'
import { createGroundFolder } from './ground-folder.ts'
import { toTownText } from './map-files.testkit.ts'

/** Any user who is not root: permissions do not bind root. */
const NOBODY = 65_534

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-unreadable-'))
  await chmod(folder, 0o755)
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs a task without the rights of root. */
async function runUnprivileged<Result>(task: () => Promise<Result>): Promise<Result> {
  if (process.geteuid?.() !== 0) return task()
  process.seteuid?.(NOBODY)
  try {
    return await task()
  } finally {
    process.seteuid?.(0)
  }
}

test('a file that could not be read is shown as soon as it can be read', async () => {
  const file = join(folder, 'town.geojson')
  await writeFile(file, toTownText())
  await chmod(file, 0)
  const ground = createGroundFolder(folder)
  const list = () => runUnprivileged(() => ground.list('all'))
  expect(await list()).toEqual({ files: [], refused: [{ file: 'town.geojson', fault: 'unreadable' }] })
  await chmod(file, 0o644)
  expect((await list()).files).toHaveLength(1)
})

test('a folder that cannot be read is refused by its name, and the other files are shown', async () => {
  await writeFile(join(folder, 'town.geojson'), toTownText())
  await mkdir(join(folder, 'lost+found'))
  await chmod(join(folder, 'lost+found'), 0)
  const ground = createGroundFolder(folder)
  const { files, refused } = await runUnprivileged(() => ground.list('all'))
  expect(files).toMatchObject([{ file: 'town.geojson' }])
  expect(refused).toEqual([{ file: 'lost+found', fault: 'unreadable' }])
  expect((await runUnprivileged(() => ground.list(['north']))).refused).toEqual([])
})

test('without the right to read the folder the map has no files, and the doctor warns', async () => {
  const closed = join(folder, 'map')
  await mkdir(closed)
  await chmod(closed, 0)
  const found = await runUnprivileged(() => createGroundFolder(closed).list(['north']))
  expect(found).toEqual({ files: [], refused: [{ file: 'map', fault: 'unreadable' }] })
  expect(await runUnprivileged(() => checkMapFiles(closed))).toMatchObject([{ state: 'warning' }])
})
