import { expect, test } from 'vitest'
import { createController, stepCampaign } from './campaign.ts'
import { generateScenario, HEALTHY } from './generate-scenario.ts'
import { measureSpread, movesPerValve } from './measures.ts'
import { toDesignRecords } from './records.ts'
import { advance, createSite } from './site.ts'

const HOUR_S = 3600
const BUILDINGS = 14

test('one step brings the returns of a simulated street together, with about a move for each valve', () => {
  const siteSettings = { seed: 1, stations: 1, buildings: BUILDINGS, floorShare: 0, unknownCurves: undefined }
  const site = createSite(generateScenario({ ...siteSettings, faulty: HEALTHY }))
  const offsetK = new Float64Array(BUILDINGS)
  advance(site, 12 * HOUR_S)
  const before = measureSpread(site, offsetK)
  const settings = { flows: 'metered', target: 'return', offsetK, pump: 'commanded' } as const
  const controller = createController(site, toDesignRecords(site.spec, siteSettings.seed), settings)
  stepCampaign(controller, { windowS: 6 * HOUR_S, gateK: 0 })
  advance(site, 5 * HOUR_S)
  expect(before).toBeGreaterThan(0.9)
  expect(measureSpread(site, offsetK)).toBeLessThan(0.4)
  expect(movesPerValve(site)).toBeLessThan(1.2)
  expect(controller.memory.broken).toEqual([])
})
