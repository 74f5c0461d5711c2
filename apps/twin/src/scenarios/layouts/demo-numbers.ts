import { toImei } from '@isotherm/kernel/imei'
import { createRandom } from '@isotherm/kernel/random'

/** Separates these random numbers from those of the physics, which start at the seed plus a station's number. */
const NUMBERS = 1_000_000
/** A made-up type allocation code; 86 stands for China. */
const TYPE_ALLOCATION = '86400106'

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

/** A start that differs from seed to seed, from which numbers count. */
const firstNumber = (seed: number, below: number): number =>
  Math.floor(createRandom(seed + NUMBERS)() * below)

/** IMEI of the radio in the concentrator of station `number`, from 1. */
export const concentratorImei = (seed: number, number: number): string =>
  toImei(`${TYPE_ALLOCATION}${digits(firstNumber(seed, 900_000) + number * 37, 6)}`)

/** The same of the radios in valves with a link of their own. */
const VALVE_ALLOCATION = '86400207'

/** IMEI of the radio in a valve, `number` counted from 1 over the company. */
export const valveImei = (seed: number, number: number): string =>
  toImei(`${VALVE_ALLOCATION}${digits((firstNumber(seed, 900_000) + number) % 1_000_000, 6)}`)

/** Number printed on the heat meter of a building, counted from 1 over the company. */
export const meterNumber = (seed: number, building: number): string =>
  `20${digits(firstNumber(seed, 900_000) + building * 13, 6)}`
