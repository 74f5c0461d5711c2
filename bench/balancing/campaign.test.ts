import { expect, test } from 'vitest'
import { createController, stepCampaign } from './campaign.ts'
import { generateScenario, HEALTHY } from './generated-site.ts'
import { movesPerValve, spreadNow } from './measures.ts'
import { keepRecords } from './records.ts'
import { createSite, live } from './site.ts'

const HOUR_S = 3600
const BUILDINGS = 14

test('one step brings the returns of a simulated street together, with about a move for each valve', () => {
  const order = { seed: 1, stations: 1, buildings: BUILDINGS, floorShare: 0, unknownCurves: undefined }
  const site = createSite(generateScenario({ ...order, sick: HEALTHY }))
  const offsetK = new Float64Array(BUILDINGS)
  live(site, 12 * HOUR_S)
  const before = spreadNow(site, offsetK)
  const manner = { flows: 'metered', target: 'return', offsetK, pump: 'commanded' } as const
  const controller = createController(site, keepRecords(site.spec, order.seed), manner)
  stepCampaign(controller, { windowS: 6 * HOUR_S, gateK: 0 })
  live(site, 5 * HOUR_S)
  expect(before).toBeGreaterThan(0.9)
  expect(spreadNow(site, offsetK)).toBeLessThan(0.4)
  expect(movesPerValve(site)).toBeLessThan(1.2)
  expect(controller.memory.broken).toEqual([])
})
