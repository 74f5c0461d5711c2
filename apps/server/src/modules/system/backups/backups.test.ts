import { permissions } from '@isotherm/contract/access/permissions'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { withBackupLock } from '../../../platform/backup/backup-lock.pg.ts'
import { recordProgramVersion } from '../../../platform/lifecycle/program-versions.pg.ts'
import { createTestClock } from '../../../testing/core.testkit.ts'
import { openTestSystem, type TestSystem } from '../system.testkit.ts'
import { beginBackupRun, endBackupRun } from './backup-runs.pg.ts'
import { createBackups } from './backups.ts'

const NOW = Date.parse('2026-11-27T12:00:00Z')
const whole = { name: 'isotherm-20261127T023000Z', bytes: 5_000_000_000, rows: 12, encrypted: true }

let fixture: TestSystem
beforeAll(async () => {
  fixture = await openTestSystem()
  await fixture.createAccount('root', permissions, [], 'provider')
  await fixture.createAccount('staff', permissions, ['p'])
})
afterAll(() => fixture.close())
beforeEach(async () => {
  await fixture.db.deleteFrom('backup_run').execute()
})

const list = async (account = 'root', mode: 'production' | 'demo' = 'production', now = NOW) =>
  createBackups({ db: fixture.db, clock: createTestClock(now), mode }).list(await fixture.callerOf(account), {
    size: 100,
  })

const begin = async (hoursAgo: number): Promise<number> =>
  (await beginBackupRun(fixture.db, NOW - hoursAgo * HOUR_MS)) ?? 0

async function record(hoursAgo: number, outcome: Parameters<typeof endBackupRun>[3]): Promise<void> {
  const id = await begin(hoursAgo)
  await endBackupRun(fixture.db, id, NOW - hoursAgo * HOUR_MS + 60_000, outcome)
}

test('an installation without any backup has an alarm, the demo has none', async () => {
  expect(await list()).toEqual({
    datalist: [],
    total: 0,
    alarm: 'none',
    lastWholeAt: null,
    versions: [],
    isReadable: true,
  })
  expect(await list('root', 'demo')).toMatchObject({ alarm: null })
})

test('a whole backup shows its time, size, duration and that it was checked, until it is 30 hours old', async () => {
  await record(29.5, whole)
  expect(await list()).toMatchObject({
    datalist: [
      {
        ...whole,
        state: 'whole',
        startedAt: NOW - 29.5 * HOUR_MS,
        endedAt: NOW - 29.5 * HOUR_MS + 60_000,
        checked: true,
        fault: null,
        isFuture: false,
      },
    ],
    alarm: null,
    lastWholeAt: NOW - 29.5 * HOUR_MS,
  })
  expect(await list('root', 'production', NOW + HOUR_MS)).toMatchObject({ alarm: 'late' })
})

test('a failed backup is an alarm with its reason until a later one is whole', async () => {
  await record(20, whole)
  await record(1, { fault: 'no space left on device' })
  const { datalist, alarm } = await list()
  expect(alarm).toBe('failed')
  expect(datalist.map(({ state, fault }) => [state, fault])).toEqual([
    ['failed', 'no space left on device'],
    ['whole', null],
  ])
  await record(0.5, whole)
  expect((await list()).alarm).toBeNull()
})

test('a backup without an end runs while its lock is held, otherwise it was interrupted', async () => {
  await begin(0.1)
  expect((await list()).datalist.map(({ state }) => state)).toEqual(['interrupted'])
  await withBackupLock(fixture.config.databaseUrl, async () => {
    expect((await list()).datalist.map(({ state }) => state)).toEqual(['running'])
  })
  await begin(0)
  expect((await list()).datalist.map(({ state }) => state)).toEqual(['interrupted', 'failed'])
})

test('an interrupted backup is an alarm, also while the next one runs', async () => {
  await record(5, whole)
  await begin(0.1)
  expect((await list()).alarm).toBe('failed')
  await begin(0)
  await withBackupLock(fixture.config.databaseUrl, async () => {
    expect(await list()).toMatchObject({ alarm: 'failed', datalist: [{ state: 'running' }, {}, {}] })
  })
})

test('a backup of the future is marked and is not the last one', async () => {
  await record(40, whole)
  await record(-9_000, whole)
  expect(await list()).toMatchObject({
    datalist: [{ isFuture: true }, { isFuture: false }],
    alarm: 'late',
    lastWholeAt: NOW - 40 * HOUR_MS,
  })
})

test('provider staff sees which versions of the program ran on the data, the present one first', async () => {
  await recordProgramVersion(fixture.db, '0.3.0', NOW - 48 * HOUR_MS)
  await recordProgramVersion(fixture.db, '0.4.0', NOW)
  expect((await list()).versions).toEqual([
    { version: '0.4.0', since: NOW },
    { version: '0.3.0', since: NOW - 48 * HOUR_MS },
  ])
  expect((await list('staff')).versions).toEqual([])
})

test('staff of a company sees nothing of the backups, which contain all companies', async () => {
  await record(1, { fault: 'no space left on /var/backups' })
  expect(await list('staff')).toEqual({
    datalist: [],
    total: 0,
    alarm: null,
    lastWholeAt: null,
    versions: [],
    isReadable: false,
  })
})
