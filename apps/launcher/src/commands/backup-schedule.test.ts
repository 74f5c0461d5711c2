import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EXIT_TRY_LATER } from '@isotherm/kernel/machine/exit-codes'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBackupSchedule, findLastDue, findNewestBackup } from './backup-schedule.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'launcher-schedule-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const toText = (at: number): string => new Date(at).toISOString()

test.each([
  ['2026-11-27T18:29:59.500Z', 'Asia/Shanghai', '2026-11-26T18:30:00.000Z'],
  ['2026-11-27T18:30:00.000Z', 'Asia/Shanghai', '2026-11-27T18:30:00.000Z'],
  ['2026-11-27T02:31:00.000Z', 'UTC', '2026-11-27T02:30:00.000Z'],
  ['2026-11-27T02:31:00.000Z', 'America/Los_Angeles', '2026-11-26T10:30:00.000Z'],
])('the last 02:30 before %s in %s is %s', (now, zone, due) => {
  expect(toText(findLastDue(Date.parse(now), '02:30', zone))).toBe(due)
})

/** A schedule whose backups make a folder with the present time, unless `code` is one of a failure. */
function createBench() {
  const bench = { now: Date.parse('2026-11-27T01:00:00Z'), code: 0, runs: 0, lines: [] as string[] }
  const schedule = createBackupSchedule({
    folder,
    at: '02:30',
    timeZone: 'UTC',
    now: () => bench.now,
    report: (line) => bench.lines.push(line),
    async run() {
      bench.runs += 1
      if (bench.code !== 0) return bench.code
      await mkdir(join(folder, `isotherm-${toText(bench.now).replace(/[-:]|\.\d+/g, '')}`))
      return 0
    },
  })
  const checkAt = async (text: string): Promise<number> => {
    bench.now = Date.parse(text)
    await schedule.check()
    return bench.runs
  }
  return { bench, checkAt }
}

test('a backup is made once a day, and after a start if the one before is missing', async () => {
  const { checkAt } = createBench()
  expect(await checkAt('2026-11-27T01:00:00Z')).toBe(1)
  expect(await checkAt('2026-11-27T02:29:30Z')).toBe(1)
  expect(await checkAt('2026-11-27T02:30:10Z')).toBe(2)
  expect(await checkAt('2026-11-28T02:29:00Z')).toBe(2)
  // The machine was off for two days.
  expect(await checkAt('2026-11-30T09:00:00Z')).toBe(3)
  expect(toText((await findNewestBackup(folder, Date.parse('2026-11-30T10:00:00Z'))) ?? 0)).toBe(
    '2026-11-30T09:00:00.000Z',
  )
})

test('a failed backup is reported and tried again after a quarter of an hour', async () => {
  const { bench, checkAt } = createBench()
  bench.code = 1
  expect(await checkAt('2026-11-27T02:30:00Z')).toBe(1)
  expect(bench.lines).toEqual(['the daily backup failed; it is tried again in 15 minutes'])
  expect(await checkAt('2026-11-27T02:44:00Z')).toBe(1)
  bench.code = 0
  expect(await checkAt('2026-11-27T02:45:00Z')).toBe(2)
  expect(await checkAt('2026-11-27T03:30:00Z')).toBe(2)
})

test('a backup that is refused because another one runs is no failure', async () => {
  const { bench, checkAt } = createBench()
  bench.code = EXIT_TRY_LATER
  expect(await checkAt('2026-11-27T02:30:00Z')).toBe(1)
  expect(bench.lines).toEqual(['the daily backup waits, another one runs'])
  bench.code = 0
  expect(await checkAt('2026-11-27T02:45:00Z')).toBe(2)
})

test('a clock that jumps years ahead and back prevents no backup', async () => {
  const { bench, checkAt } = createBench()
  expect(await checkAt('2031-01-01T09:00:00Z')).toBe(1)
  expect(await checkAt('2026-11-27T09:00:00Z')).toBe(2)
  expect(await checkAt('2026-11-27T10:00:00Z')).toBe(2)
  bench.code = 1
  expect(await checkAt('2031-01-03T09:00:00Z')).toBe(3)
  bench.code = 0
  expect(await checkAt('2026-11-28T09:00:00Z')).toBe(4)
})

test('drafts and other folders are no backups', async () => {
  for (const name of ['isotherm-20261127T010000Z.part', 'photos']) await mkdir(join(folder, name))
  expect(await findNewestBackup(folder, Date.now())).toBeUndefined()
  expect(await findNewestBackup(join(folder, 'missing'), Date.now())).toBeUndefined()
})
