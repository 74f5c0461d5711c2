import { type CampaignDetail, campaignDetail } from '@isotherm/contract/balancing/campaign'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MeasuredStation, startMeasuredStation, storeEarlier } from './measured-station.testkit.ts'

const ROOM_TARGET = { kind: 'temperature', target: 'room' } as const
const RETURN_TARGET = { kind: 'temperature', target: 'return' } as const
/** Rooms of the four units, °C. */
const roomsC = { b2u1: 22.5, b2u2: 21, b10u1: 19.5, b10u2: 19 } as const
const units = Object.keys(roomsC)
const READINGS = 6

let station: MeasuredStation
beforeAll(async () => {
  station = await startMeasuredStation()
  for (const [unit, roomC] of Object.entries(roomsC))
    for (let index = 0; index < READINGS; index++)
      await storeEarlier(
        station.server,
        `R-${unit}`,
        { metric: 'temp.room', value: roomC + 0.1 * (index % 3) },
        (index + 1) / READINGS,
      )
})
afterAll(() => station.server.stop())

const draft = async (mode: typeof ROOM_TARGET | typeof RETURN_TARGET = ROOM_TARGET) =>
  station.call('addCampaign', { node: await station.server.nodeKey('s1'), mode })

const plan = async (): Promise<CampaignDetail> => {
  const { code, text, data } = await draft()
  if (code !== undefined) throw new Error(`${code} ${text}`)
  return campaignDetail.parse(data)
}
const move = (unit: string, hoursAgo: number) =>
  storeEarlier(station.server, `V-${unit}`, { metric: 'valve.opening', value: 30 }, hoursAgo)

/** A campaign whose round was verified, without the hours that it takes. */
async function verify({ id }: CampaignDetail): Promise<CampaignDetail> {
  const { db } = station.server
  await sql`update campaign_round set verification = jsonb_build_object(
      'station', '{}'::jsonb, 'indices', '{}'::jsonb, 'members', '[]'::jsonb, 'memory', plan -> 'memory')
    where campaign_id = ${id}`.execute(db)
  await db
    .updateTable('campaign')
    .set({ state: 'verified', settled_ms: Date.now() })
    .where('id', '=', id)
    .execute()
  return campaignDetail.parse((await station.call('getCampaign', { id })).data)
}

test('a room target waits for rooms: no plan and no trim within days of a move, until when is stated', async () => {
  const first = await plan()
  expect(first.moves).toBeGreaterThan(0)
  expect(first.members.map(({ limit }) => limit)).not.toContain('settling')
  const { id, version, settleMs = 0, trimFrom = 0, abilities } = await verify(first)
  expect(abilities.toSorted()).toEqual(['accept', 'rollback'])
  expect((trimFrom + settleMs - Date.now()) / HOUR_MS).toBeCloseTo(120, 1)

  // One building of four stays as it is, and the others are balanced around it.
  await move('b2u1', 12)
  const { members } = await plan()
  const limits = Object.fromEntries(members.map(({ deviceName, limit }) => [deviceName, limit]))
  expect(limits).toMatchObject({ 'V-b2u1': 'settling' })
  expect(Object.values(limits).filter((limit) => limit === 'settling')).toHaveLength(1)

  for (const unit of units) await move(unit, 12)
  const { code, text } = await draft()
  expect(code).toBe('balance.rooms-moving')
  expect(text).toContain('108')
  expect((await station.call('trimCampaign', { id, version })).code).toBe('balance.rooms-moving')
  expect((await draft(RETURN_TARGET)).code).toBeUndefined()
  expect((await station.call('getCampaign', { id })).data).toMatchObject({ state: 'verified', round: 1 })
})

test('minutes after a move the reason is the rooms too, not the readings that are missing since then', async () => {
  for (const unit of units) await move(unit, 0.05)
  expect((await draft()).code).toBe('balance.rooms-moving')
})
