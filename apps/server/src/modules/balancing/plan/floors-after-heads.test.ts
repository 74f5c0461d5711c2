import { campaignDetail } from '@isotherm/contract/balancing/campaign'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  holdHead,
  type MeasuredStation,
  setEmitter,
  startMeasuredStation,
  storeEarlier,
} from './measured-station.testkit.ts'

let station: MeasuredStation
beforeAll(async () => {
  station = await startMeasuredStation()
  await setEmitter(station, 'b10', 'floor')
})
afterAll(() => station.server.stop())

/** Limit of each valve's target by name, and the number of moves of a plan. */
async function plan() {
  const node = await station.server.nodeKey('s1')
  const { data } = await station.ask('addCampaign', {
    node,
    mode: { kind: 'temperature', target: 'return' },
  })
  const { members, moves } = campaignDetail.parse(data)
  return { limits: Object.fromEntries(members.map(({ deviceName, limit }) => [deviceName, limit])), moves }
}

test('floors wait after a change of the head as long as after a move, and radiators are balanced around them', async () => {
  await holdHead(station.server)
  const head = (value: number) => ({ metric: 'pump.target', value }) as const
  await storeEarlier(station.server, 'K-s1', head(62), 5)
  expect(Object.values((await plan()).limits)).not.toContain('settling')
  await storeEarlier(station.server, 'K-s1', head(90), 20)
  await storeEarlier(station.server, 'K-s1', head(90), 6)
  const { limits, moves } = await plan()
  expect(limits).toMatchObject({ 'V-b10u1': 'settling', 'V-b10u2': 'settling' })
  expect([limits['V-b2u1'], limits['V-b2u2']]).not.toContain('settling')
  expect(moves).toBeGreaterThan(0)
})
