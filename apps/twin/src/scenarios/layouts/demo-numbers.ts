import { toImei } from '@isotherm/kernel/imei'
import { createRandom } from '@isotherm/kernel/random'

/** Separates these random numbers from those of the physics, which use the seed plus the station's number. */
const NUMBERS = 1_000_000
/** A fictitious type allocation code; 86 is China. */
const TYPE_ALLOCATION = '86400106'

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

/** First number of a series; depends on the seed. */
const firstNumber = (seed: number, below: number): number =>
  Math.floor(createRandom(seed + NUMBERS)() * below)

/** IMEI of the radio in the concentrator of station `number`, from 1. */
export const concentratorImei = (seed: number, number: number): string =>
  toImei(`${TYPE_ALLOCATION}${digits(firstNumber(seed, 900_000) + number * 37, 6)}`)

/** The same for radios in valves with their own link. */
const VALVE_ALLOCATION = '86400207'

/** IMEI of the radio in valve `number`, counted from 1 over the company. */
export const valveImei = (seed: number, number: number): string =>
  toImei(`${VALVE_ALLOCATION}${digits((firstNumber(seed, 900_000) + number) % 1_000_000, 6)}`)

/** Number printed on the heat meter of a building, counted from 1 over the company. */
export const meterNumber = (seed: number, building: number): string =>
  `20${digits(firstNumber(seed, 900_000) + building * 13, 6)}`
