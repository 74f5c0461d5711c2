import { createRandom, type Random } from '@isotherm/kernel/random'
import type { WeatherSpec } from '../scenarios/weather-spec.ts'
import { DAY_S, secondOfDay } from './second-of-day.ts'

/** The weather at an instant: outdoor temperature, sun on a south wall and on the ground, humidity, wind, rain. */
export interface Sky {
  readonly outdoorC: number
  readonly sunWM2: number
  /** Radiation of sun and sky on the ground. */
  readonly groundSunWM2: number
  readonly humidityPct: number
  readonly windMS: number
  readonly rainMmH: number
}

/** Weather at a simulated second since the scenario's first midnight; a pure function. */
export type Weather = (simTimeS: number) => Sky

const WARMEST_HOUR = 15

interface Wave {
  readonly rate: number
  readonly phase: number
  readonly height: number
}

/** Random waves with periods of some days; phases and heights depend on the seed. */
const sampleWaves = (random: Random, days: readonly number[], least: number, spread: number): Wave[] =>
  days.map((period) => ({
    rate: (2 * Math.PI) / (period * DAY_S),
    phase: 2 * Math.PI * random(),
    height: least + spread * random(),
  }))

const atWaves = (waves: readonly Wave[], simTimeS: number): number =>
  waves.reduce((sum, { rate, phase, height }) => sum + height * Math.sin(rate * simTimeS + phase), 0)

const hourOf = (simTimeS: number): number => secondOfDay(simTimeS) / 3600

/** Warmest at 15:00. */
const dailySwing = (simTimeS: number, heightC: number): number =>
  heightC * Math.cos((2 * Math.PI * (hourOf(simTimeS) - WARMEST_HOUR)) / 24)

/** Air that is saturated at a dew point, at a temperature: relative humidity, % (Magnus, as in FAO-56, equation 11). */
function humidityAt(outdoorC: number, dewC: number): number {
  const saturated = (celsius: number): number => Math.exp((17.27 * celsius) / (celsius + 237.3))
  return Math.min(100, (100 * saturated(dewC)) / saturated(outdoorC))
}

/** Low winter sun between 9:00 and 16:00, at most 200 W/m². */
function winterSun(simTimeS: number): number {
  const hour = hourOf(simTimeS)
  return hour > 9 && hour < 16 ? 200 * Math.sin((Math.PI * (hour - 9)) / 7) : 0
}

function createWinter(seed: number): Weather {
  const waves = sampleWaves(createRandom(seed), [2.3, 4.1, 8.7], 0.6, 0.5)
  return (simTimeS) => ({
    outdoorC: -5 + dailySwing(simTimeS, 5) + atWaves(waves, simTimeS),
    sunWM2: winterSun(simTimeS),
    groundSunWM2: winterSun(simTimeS),
    humidityPct: 60,
    windMS: 2.5,
    rainMmH: 0,
  })
}

const LATITUDE = (38 * Math.PI) / 180
const YEAR_DAYS = 365
/** Coldest around 20 January. */
const COLDEST_DAY = 20
/** Direct sun at the ground on a clear day, W/m². */
const CLEAR_SUN_W_M2 = 700

/** Declination on a day counted from 0 (Cooper), rad. */
const declinationOf = (day: number): number =>
  ((23.45 * Math.PI) / 180) * Math.sin((2 * Math.PI * (285 + day)) / YEAR_DAYS)

/** Sine of the height of the sun; negative at night. */
function sunHeight(day: number, hour: number): number {
  const declination = declinationOf(day)
  const angle = (Math.PI / 12) * (hour - 12)
  return (
    Math.sin(LATITUDE) * Math.sin(declination) + Math.cos(LATITUDE) * Math.cos(declination) * Math.cos(angle)
  )
}

/**
 * Share of direct sun on a south wall, 0..1, on a day counted from 0 (Cooper's declination; hour angle from
 * 12:00). Worked example: weather.test.ts.
 */
export function southWallShare(day: number, hour: number): number {
  const declination = declinationOf(day)
  const angle = (Math.PI / 12) * (hour - 12)
  const onWall =
    Math.sin(LATITUDE) * Math.cos(declination) * Math.cos(angle) - Math.cos(LATITUDE) * Math.sin(declination)
  return sunHeight(day, hour) > 0 ? Math.max(0, onWall) : 0
}

/** Radiation above the atmosphere, W/m². */
const SOLAR_W_M2 = 1367

/** Rain in mm/h per unit of cloud thickness above overcast: 300 to 700 mm per year, mostly in summer. */
const RAIN_MM_H = 18

/** Annual mean 10 °C, January −4 °C, July 24 °C; fronts of days and weeks; clouds absorb most of the sun. */
function createYear(seed: number, startDay: number): Weather {
  const random = createRandom(seed)
  const fronts = sampleWaves(random, [3.1, 5.3, 9.7, 17, 31], 1, 1)
  const clouds = sampleWaves(random, [1.7, 3.7, 6.1], 0.2, 0.2)
  const gusts = sampleWaves(random, [0.21, 0.8, 3.3], 0.4, 0.6)
  return (simTimeS) => {
    const day = startDay + simTimeS / DAY_S
    const season = -Math.cos((2 * Math.PI * (day - COLDEST_DAY)) / YEAR_DAYS)
    const cover = 0.55 + atWaves(clouds, simTimeS)
    const clear = Math.min(1, Math.max(0.15, cover))
    const swingC = 3 + 3 * clear
    const meanC = 10 + 14 * season + atWaves(fronts, simTimeS)
    const outdoorC = meanC + dailySwing(simTimeS, swingC)
    return {
      outdoorC,
      // Ångström's shares of the radiation above (FAO-56, equation 35).
      groundSunWM2:
        SOLAR_W_M2 * Math.max(0, sunHeight(Math.floor(day), hourOf(simTimeS))) * (0.25 + 0.5 * clear),
      // The dew point is near the lowest temperature of the day (FAO-56, equation 48), lower in clear air.
      humidityPct: humidityAt(outdoorC, meanC - swingC - 2 * clear),
      sunWM2: CLEAR_SUN_W_M2 * clear * southWallShare(Math.floor(day), hourOf(simTimeS)),
      windMS: Math.max(0, 2.5 + atWaves(gusts, simTimeS)),
      rainMmH: RAIN_MM_H * Math.max(0, -cover) * ((1 + season) / 2) ** 2,
    }
  }
}

/** Interpolates between two hours; the values repeat before the first and after the last. */
function between(values: readonly number[], hour: number): number {
  const at = Math.floor(hour)
  const valueAt = (index: number): number =>
    values[((index % values.length) + values.length) % values.length] ?? 0
  return valueAt(at) + (valueAt(at + 1) - valueAt(at)) * (hour - at)
}

function createHourly(spec: WeatherSpec & { kind: 'hourly' }): Weather {
  const { startDay, outdoorC, sunWM2, windMS, rainMmH } = spec
  return (simTimeS) => {
    const hour = startDay * 24 + simTimeS / 3600
    return {
      outdoorC: between(outdoorC, hour),
      sunWM2: sunWM2 === undefined ? winterSun(simTimeS) : between(sunWM2, hour),
      groundSunWM2: sunWM2 === undefined ? winterSun(simTimeS) : between(sunWM2, hour),
      humidityPct: 60,
      windMS: windMS === undefined ? 2.5 : between(windMS, hour),
      rainMmH: rainMmH === undefined ? 0 : between(rainMmH, hour),
    }
  }
}

/** Transition time of a cold snap, s: it has half of its depth at its start and end. */
const SNAP_EDGE_S = 2 * 3600

const smooth = (secondsInside: number): number => 1 / (1 + Math.exp(-secondsInside / SNAP_EDGE_S))

function createUndisturbed(spec: WeatherSpec, seed: number): Weather {
  if (spec.kind === 'winter') return createWinter(seed)
  return spec.kind === 'year' ? createYear(seed, spec.startDay) : createHourly(spec)
}

/** Creates the weather of a scenario; reproducible by seed. */
export function createWeather(spec: WeatherSpec, seed: number): Weather {
  const weather = createUndisturbed(spec, seed)
  const { snaps } = spec
  if (snaps.length === 0) return weather
  return (simTimeS) => {
    const sky = weather(simTimeS)
    const drop = snaps.reduce(
      (sum, { fromS, untilS, dropK }) => sum + dropK * smooth(simTimeS - fromS) * smooth(untilS - simTimeS),
      0,
    )
    return { ...sky, outdoorC: sky.outdoorC - drop }
  }
}
