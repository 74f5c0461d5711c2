import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS } from '@isotherm/kernel/durations'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDraft, finishDraft, removeDeadDrafts } from './drafts.ts'

const NAME = 'isotherm-20261127T023000Z'
const NOW = Date.parse('2026-11-27T12:00:00Z')
/** Above the largest process id of Linux. */
const NO_PROCESS = 2 ** 22 + 1

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'isotherm-drafts-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A draft that this process or another one wrote at some time. */
async function make(name: string, owner: string | undefined, at = NOW): Promise<void> {
  const draft = join(folder, `${name}.part`)
  await mkdir(draft)
  await writeFile(join(draft, 'postgres-account.zst'), 'half a table')
  if (owner !== undefined) await writeFile(join(draft, 'owner.json'), owner)
  await utimes(draft, at / 1000, at / 1000)
}
const ownerOf = (pid: number, host = hostname()) => JSON.stringify({ host, pid })

test('a draft of a process that is gone is removed', async () => {
  await make(NAME, ownerOf(NO_PROCESS))
  expect(await removeDeadDrafts(folder, NOW)).toEqual([`${NAME}.part`])
  expect(await readdir(folder)).toEqual([])
})

test('drafts of a process that runs, and of today on another machine, stay', async () => {
  await make(NAME, ownerOf(process.ppid))
  await make('isotherm-20261127T033000Z', ownerOf(NO_PROCESS, 'another machine'))
  await make('isotherm-20261127T043000Z', undefined)
  expect(await removeDeadDrafts(folder, NOW)).toEqual([])
})

test('a draft that nobody has written for days is removed, wherever it is from', async () => {
  await make(NAME, ownerOf(NO_PROCESS, 'another machine'), NOW - 3 * DAY_MS)
  await make('isotherm-20261127T043000Z', '{"host":', NOW - 3 * DAY_MS)
  expect(await removeDeadDrafts(folder, NOW)).toHaveLength(2)
})

test('other folders stay, and a finished draft has no owner', async () => {
  await mkdir(join(folder, 'photos.part'))
  const draft = await createDraft(folder, NAME)
  await finishDraft(draft, join(folder, NAME))
  expect(await removeDeadDrafts(folder, NOW + 9 * DAY_MS)).toEqual([])
  expect(await readdir(folder)).toEqual([NAME, 'photos.part'])
  expect(await readdir(join(folder, NAME))).toEqual([])
})
