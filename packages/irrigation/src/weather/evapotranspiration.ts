/**
 * Reference evapotranspiration ET₀ of a grass surface, mm/day, by R. G. Allen, L. S. Pereira, D. Raes, M. Smith: Crop
 * evapotranspiration, FAO Irrigation and Drainage Paper 56, Rome 1998. Equation numbers are those of the paper; its worked
 * examples are the tests.
 */

/** Weather of a day. What is absent is estimated as chapter 3 of the paper recommends. */
export interface WeatherDay {
  /** Day of the year, 1 is the first of January. */
  readonly dayOfYear: number
  readonly latitudeDeg: number
  readonly altitudeM?: number
  readonly minC: number
  readonly maxC: number
  /** Actual vapour pressure, kPa. */
  readonly vapourKpa?: number
  /** Wind at 2 m above the ground, m/s. */
  readonly windMS?: number
  /** Measured short-wave radiation, MJ/(m²·day); it counts before sunshine. */
  readonly solarMJ?: number
  /** Hours of bright sunshine. */
  readonly sunshineH?: number
  /** Heat into the ground, MJ/(m²·day); 0 for single days (equation 42). */
  readonly soilHeatMJ?: number
}

/** Solar constant, MJ/(m²·min), and the Stefan–Boltzmann constant, MJ/(K⁴·m²·day). */
const SOLAR = 0.082
const STEFAN = 4.903e-9
const ALBEDO = 0.23
/** Latent heat of vaporization turned into a depth of water, mm per MJ/m² (equation 20). */
const MM_PER_MJ = 0.408
/** Regression constants of Ångström where none are calibrated (equation 35). */
const ANGSTROM = { cloudy: 0.25, sunny: 0.5 }
/** Adjustment coefficient of equation 50 for interior locations. */
const INTERIOR = 0.16

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180
const distanceFactor = (dayOfYear: number): number => 1 + 0.033 * Math.cos((2 * Math.PI * dayOfYear) / 365)
const declinationOf = (dayOfYear: number): number => 0.409 * Math.sin((2 * Math.PI * dayOfYear) / 365 - 1.39)
/** Sunset hour angle, rad (equation 25), from 0 in the polar night to π in the polar day. */
const sunsetAngle = (latitude: number, declination: number): number =>
  Math.acos(Math.min(1, Math.max(-1, -Math.tan(latitude) * Math.tan(declination))))

/** Extraterrestrial radiation of a day, MJ/(m²·day) (equation 21). */
export function extraterrestrialRadiation(dayOfYear: number, latitudeDeg: number): number {
  const latitude = toRadians(latitudeDeg)
  const declination = declinationOf(dayOfYear)
  const sunset = sunsetAngle(latitude, declination)
  const sum =
    sunset * Math.sin(latitude) * Math.sin(declination) +
    Math.cos(latitude) * Math.cos(declination) * Math.sin(sunset)
  return ((24 * 60) / Math.PI) * SOLAR * distanceFactor(dayOfYear) * sum
}

/** Longest possible sunshine of a day, h (equation 34). */
const daylightHours = (dayOfYear: number, latitudeDeg: number): number =>
  (24 / Math.PI) * sunsetAngle(toRadians(latitudeDeg), declinationOf(dayOfYear))

/** Saturation vapour pressure at a temperature, kPa (equation 11). */
export const saturationPressure = (temperatureC: number): number =>
  0.6108 * Math.exp((17.27 * temperatureC) / (temperatureC + 237.3))

/** Actual vapour pressure by the range of temperature and of relative humidity (%) of a day, kPa (equation 17). */
export const vapourPressure = (
  { minC, maxC }: Pick<WeatherDay, 'minC' | 'maxC'>,
  humidityPct: { readonly min: number; readonly max: number },
): number => (saturationPressure(minC) * humidityPct.max + saturationPressure(maxC) * humidityPct.min) / 200

/** Wind at 2 m by that at another height above the ground, m/s (equation 47). */
export const windAt2m = (windMS: number, heightM: number): number =>
  (windMS * 4.87) / Math.log(67.8 * heightM - 5.42)

/** Short-wave radiation that reaches the ground, MJ/(m²·day): as measured, by sunshine (equation 35) or by the range of temperature (50). */
function solarRadiation(day: WeatherDay, above: number): number {
  const { solarMJ, sunshineH, dayOfYear, latitudeDeg, minC, maxC } = day
  if (solarMJ !== undefined) return solarMJ
  if (sunshineH === undefined) return INTERIOR * Math.sqrt(Math.max(0, maxC - minC)) * above
  const daylight = daylightHours(dayOfYear, latitudeDeg)
  return (ANGSTROM.cloudy + (daylight > 0 ? (ANGSTROM.sunny * sunshineH) / daylight : 0)) * above
}

/** Net radiation, MJ/(m²·day) (equations 37 to 40). */
function netRadiation(day: WeatherDay, vapourKpa: number): number {
  const { minC, maxC, altitudeM = 0 } = day
  const above = extraterrestrialRadiation(day.dayOfYear, day.latitudeDeg)
  const solar = solarRadiation(day, above)
  const clear = (0.75 + 2e-5 * altitudeM) * above
  const cloudiness = clear > 0 ? 1.35 * Math.min(1, solar / clear) - 0.35 : 0
  const emitted = (STEFAN * ((maxC + 273.16) ** 4 + (minC + 273.16) ** 4)) / 2
  return (1 - ALBEDO) * solar - emitted * (0.34 - 0.14 * Math.sqrt(vapourKpa)) * cloudiness
}

/** ET₀ by the FAO Penman–Monteith equation (6), mm/day. */
export function penmanMonteith(day: WeatherDay): number {
  const { minC, maxC, altitudeM = 0, windMS = 2, soilHeatMJ = 0 } = day
  const meanC = (minC + maxC) / 2
  // Without humidity the dew point is near the minimum temperature (equation 48).
  const vapourKpa = day.vapourKpa ?? saturationPressure(minC)
  const saturated = (saturationPressure(maxC) + saturationPressure(minC)) / 2
  const slope = (4098 * saturationPressure(meanC)) / (meanC + 237.3) ** 2
  const pressureKpa = 101.3 * ((293 - 0.0065 * altitudeM) / 293) ** 5.26
  const psychrometric = 0.665e-3 * pressureKpa
  const radiation = MM_PER_MJ * slope * (netRadiation(day, vapourKpa) - soilHeatMJ)
  const aerodynamic = ((psychrometric * 900) / (meanC + 273)) * windMS * (saturated - vapourKpa)
  return Math.max(0, (radiation + aerodynamic) / (slope + psychrometric * (1 + 0.34 * windMS)))
}

/** ET₀ by Hargreaves (equation 52), mm/day: needs only the temperatures of the day. */
export function hargreaves({ dayOfYear, latitudeDeg, minC, maxC }: WeatherDay): number {
  const depth = MM_PER_MJ * extraterrestrialRadiation(dayOfYear, latitudeDeg)
  return Math.max(0, 0.0023 * ((minC + maxC) / 2 + 17.8) * Math.sqrt(Math.max(0, maxC - minC)) * depth)
}

/** Whether more than temperatures was measured: humidity, wind, radiation or sunshine. */
export const isForPenman = ({ vapourKpa, windMS, solarMJ, sunshineH }: WeatherDay): boolean =>
  [vapourKpa, windMS, solarMJ, sunshineH].some((measured) => measured !== undefined)

/** ET₀ of a day, mm: Penman–Monteith where more than temperatures was measured, otherwise Hargreaves. */
export const referenceEvapotranspiration = (day: WeatherDay): number =>
  isForPenman(day) ? penmanMonteith(day) : hargreaves(day)
