import type { CommandState } from '@isotherm/contract/command'
import { DAY_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MeasuredStation, planReturns, startMeasuredStation } from './measured-station.testkit.ts'

let station: MeasuredStation
beforeAll(async () => {
  station = await startMeasuredStation()
})
afterAll(() => station.server.stop())

/** A campaign that aborted some days ago because a building starved, and was rolled back. */
async function storeAbort(id: number, deviceId: number, daysAgo: number): Promise<void> {
  const { db } = station.server
  const abort = JSON.stringify({ kind: 'starved', deviceIds: [deviceId] })
  await sql`update campaign set state = 'rolled-back', ended_ms = created_ms, abort = ${abort}::jsonb where id = ${id}`.execute(
    db,
  )
  await db.deleteFrom('campaign_event').where('campaign_id', '=', id).execute()
  const at_ms = Date.now() - daysAgo * DAY_MS
  await db
    .insertInto('campaign_event')
    .values({ campaign_id: id, at_ms, event: 'abort', account: '' })
    .execute()
}

/** Orders an opening and puts the command into a state, with what the valve has reported for it, %. */
async function storeAnswer(
  deviceId: number,
  openingPct: number,
  { state, shownPct }: { readonly state: CommandState; readonly shownPct: number | null },
): Promise<void> {
  const { code } = await station.call('publishMqCtlCmd', {
    targets: [{ deviceId, openingPct }],
    reason: 'test',
  })
  expect(code).toBeUndefined()
  await station.server.db
    .updateTable('command')
    .set({ state, shown_pct: shownPct, done_ms: Date.now(), deadline_ms: null, next_attempt_ms: null })
    .where('device_id', '=', deviceId)
    .where('opening_pct', '=', openingPct)
    .execute()
}

test('a plan leaves out a valve whose building starved within the last 14 days, and moves the others', async () => {
  const first = await planReturns(station)
  const [culprit] = first.members.filter(({ before, expected }) => before.openingPct !== expected.openingPct)
  if (!culprit) throw new Error('the plan moves nothing')
  expect(culprit.excluded).toBeUndefined()
  await storeAbort(first.id, culprit.deviceId, 13)
  const { members, moves } = await planReturns(station)
  const left = members.filter(({ excluded }) => excluded === 'starved-before')
  expect(left.map(({ deviceId }) => deviceId)).toEqual([culprit.deviceId])
  expect(left[0]?.expected.openingPct).toBe(left[0]?.before.openingPct)
  expect(moves).toBeGreaterThan(0)
  await storeAbort(first.id, culprit.deviceId, 15)
  expect((await planReturns(station)).members.every(({ excluded }) => excluded === undefined)).toBe(true)
})

// Orders by hand free a valve of an earlier abort, so this comes last.
test('a plan leaves out a valve that works the wrong way round until it confirms a command, and moves the others', async () => {
  const first = await planReturns(station)
  const [wrong] = first.members.filter(({ before, expected }) => before.openingPct !== expected.openingPct)
  if (!wrong) throw new Error('the plan moves nothing')
  const { deviceId } = wrong
  const listLeft = async () =>
    (await planReturns(station)).members.filter(({ excluded }) => excluded !== undefined)
  await storeAnswer(deviceId, 70, { state: 'unknown', shownPct: 30 })
  expect(await listLeft()).toEqual([])
  // The valve may still travel, or was sent elsewhere on its way.
  for (const [index, state] of (['done', 'superseded', 'cancelled'] as const).entries()) {
    await storeAnswer(deviceId, 60 + index, { state, shownPct: 40 - index })
    expect(await listLeft(), state).toEqual([])
  }
  await storeAnswer(deviceId, 59, { state: 'unknown', shownPct: 41 })
  expect(await listLeft()).toEqual([])
  await storeAnswer(deviceId, 80, { state: 'unknown', shownPct: 20 })
  const { members, moves } = await planReturns(station)
  const left = members.filter(({ excluded }) => excluded !== undefined)
  expect(left).toMatchObject([{ deviceId, excluded: 'inverted' }])
  expect(left[0]?.expected.openingPct).toBe(left[0]?.before.openingPct)
  expect(moves).toBeGreaterThan(0)
  await storeAnswer(deviceId, 50, { state: 'confirmed', shownPct: 80 })
  expect(await listLeft()).toMatchObject([{ deviceId }])
  await storeAnswer(deviceId, 75, { state: 'confirmed', shownPct: 25 })
  expect(await listLeft()).toEqual([])
})
