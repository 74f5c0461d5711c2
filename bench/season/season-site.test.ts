import { expect, it } from 'vitest'
import { generatePlant } from '../foreign/plant/generate-plant.ts'
import { liveUntil, type Site } from '../foreign/plant/site.ts'
import { DAY_S, FIRST_S, startSeason } from './season-site.ts'
import { createWinter } from './season-weather.ts'
import { drawWear, type Wear } from './wear.ts'

const STEP_S = 600
const spec = generatePlant({ seed: 6 })
const DAYS = 4

it('shows the true heat of each day within the errors of the meter', () => {
  const season = startSeason(spec, createWinter(6, STEP_S, DAYS + 2), 0)
  liveUntil(season.site, FIRST_S + DAYS * DAY_S)
  const days = season.shownDays()
  expect(days).toHaveLength(DAYS)
  const shownKwh = days.reduce((sum, { heatKwh }) => sum + heatKwh, 0)
  expect(Math.abs(shownKwh / season.tally.heatKwh - 1)).toBeLessThan(0.03)
  expect(shownKwh).not.toBe(season.tally.heatKwh)
})

it('does not change the specification of the plant, although people open windows in warm rooms', () => {
  const weather = createWinter(6, STEP_S, DAYS + 2)
  const airing = (shiftK: number): number => {
    const { site } = startSeason(spec, weather, shiftK)
    liveUntil(site, FIRST_S + 0.6 * DAY_S)
    return site.plant.spec.flats.airingWK.reduce((sum, value) => sum + value, 0)
  }
  const closed = spec.flats.airingWK.reduce((sum, value) => sum + value, 0)
  const [cool, warm] = [airing(-8), airing(12)]
  expect(warm).toBeGreaterThan(1.5 * cool)
  expect(spec.flats.airingWK.reduce((sum, value) => sum + value, 0)).toBe(closed)
})

it('applies wear at its instants: a silent valve answers again after four days, a strainer clogs', () => {
  const days = 12
  let wear: Wear = []
  const { site } = startSeason(spec, createWinter(6, STEP_S, days + 2), 0, ({ instruments }: Site) => {
    wear = drawWear(6, { buildings: 60, sensors: instruments.sensorFlats.length, days })
    return wear
  })
  const silentAt: number[] = []
  while (site.plant.timeS < FIRST_S + days * DAY_S) {
    liveUntil(site, site.plant.timeS + DAY_S)
    silentAt.push(site.instruments.faults.offline.size)
  }
  expect(Math.max(...silentAt)).toBeGreaterThan(0)
  expect(silentAt.some((count, day) => count < (silentAt[day - 1] ?? 0))).toBe(true)
  const clogged = site.plant.strainers.filter(
    (now, building) => now > (spec.buildings[building]?.strainer ?? 0),
  )
  expect(clogged.length).toBeGreaterThan(3)
  expect(site.plant.motors.filter(({ isBlocked }) => isBlocked)).toHaveLength(5)
  expect(site.instruments.roomK.some(Number.isNaN)).toBe(true)
  const instants = drawWear(6, { buildings: 60, sensors: site.instruments.sensorFlats.length, days })
  expect(instants.map(({ atS }) => atS)).toEqual(wear.map(({ atS }) => atS))
})
