import { DAY_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { sourceSettings, useSourceOfTwoGroups } from './irrigation-runs.testkit.ts'

const field = useSourceOfTwoGroups()
const { now } = field
const PLACE = { latitude: 41, longitude: 123 }

const toPlan = () => ({
  days: { kind: 'every' as const, n: 1, from: 0 },
  starts: [{ kind: 'sunrise' as const, offsetMin: -30 }],
  entries: field.groupIds.map((groupId) => ({ groupId, runS: 60 })),
  seasonalPct: 100,
  together: false,
})
const addBySun = () =>
  field.bench.settings.setProgram(field.bench.call(), {
    sourceId: field.source.id,
    settings: { name: '日出', enabled: true, plan: toPlan() },
  })
const place = async (position: Partial<typeof PLACE>) => {
  const { id, version, node } = await now()
  const settings = { ...sourceSettings, ...position }
  return field.bench.settings.setSource(field.bench.call(), { id, version, node, settings })
}

test('a start by the sun needs the position of its source, which stays as long as a program needs it', async () => {
  const refused = { code: 'irrigation.no-position' }
  await expect(addBySun()).rejects.toMatchObject(refused)
  await place({ latitude: 41 })
  await expect(addBySun()).rejects.toMatchObject(refused)
  const from = field.bench.clock.now()
  const draft = { sourceId: field.source.id, draft: { plan: toPlan() }, from, to: from + 2 * DAY_MS }
  await expect(field.bench.irrigation.preview(field.bench.call().caller, draft)).rejects.toMatchObject(
    refused,
  )
  await place(PLACE)
  await addBySun()
  expect((await now()).next.length).toBeGreaterThan(0)
  await expect(place({})).rejects.toMatchObject(refused)
  expect(await now()).toMatchObject(PLACE)
})

test('a source without a position takes that of its node on the map', async () => {
  const { db } = field.bench
  const { id: node_id } = await db
    .selectFrom('node')
    .select('id')
    .where('level', '=', 4)
    .executeTakeFirstOrThrow()
  await db
    .insertInto('node_gis')
    .values({ node_id, longitude_deg: 123, latitude_deg: 41, outline: null })
    .execute()
  await addBySun()
  expect((await now()).next.length).toBeGreaterThan(0)
  await place({})
  await db.deleteFrom('node_gis').where('node_id', '=', node_id).execute()
})

test('a preview that ends before it begins and a rain delay of the past are refused', async () => {
  const { caller } = field.bench.call()
  const at = field.bench.clock.now()
  const backward = field.bench.irrigation.preview(caller, { sourceId: field.source.id, from: at, to: at - 1 })
  await expect(backward).rejects.toMatchObject({ code: 'irrigation.no-span' })
  const past = { sourceId: field.source.id, until: at, reason: '雨' }
  await expect(field.bench.irrigation.pause(field.bench.call(), past)).rejects.toMatchObject({
    code: 'irrigation.past',
  })
  expect((await now()).pausedUntil).toBeUndefined()
})
