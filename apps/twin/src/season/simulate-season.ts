import type { ChildReading } from '@isotherm/contract/mqtt'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { type FieldGateway, runMeters } from '../devices/gateway/field-gateway.ts'
import { readChild } from '../devices/gateway/read-child.ts'
import type { DeviceFault } from '../faults/fault.ts'
import { createField } from '../field/field.ts'
import { START_S, stepPlant } from '../plant/plant.ts'
import { DAY_S } from '../plant/second-of-day.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { createTrack, shiftRegisters, type Track } from './track.ts'
import { setValvesByTimer } from './watering-timer.ts'

/** The span of a season, in whole hours. */
export interface SeasonSpan {
  readonly days: number
  /** Instant of the last reading, Unix ms. */
  readonly endMs: number
  /** Time of the day at the end in the company's zone, s after midnight. */
  readonly endOfDayS: number
}

/** Readings of the devices behind a gateway: hourly, and for a pump house also after each move of its valves. */
export interface SeasonGateway {
  readonly serial: string
  readonly tracks: readonly Track[]
  /** Slots of an hour in the tracks: a reading is at the end of its slot. */
  readonly perHour: number
}

/** What a company's devices measured before the scenario's start. */
export interface Season {
  readonly gateways: readonly SeasonGateway[]
  readonly hours: number
  /** Instant of the last reading of an hour, Unix ms. */
  readonly instantOf: (hour: number) => number
}

/** Simulated days before the season, after which walls and rooms match the weather. */
const WARM_UP_DAYS = 2
const QUARTER_S = 900
const HOUR_S = 3600
/** Resolution of the timers of pump houses. */
const SLOT_S = 300
const SLOTS_PER_HOUR = HOUR_S / SLOT_S

/**
 * Events of the season, in days before its end: a cold spell of four days, a room sensor with an empty battery, a
 * meter without its bus.
 */
const COLD_SPELL = { fromDays: 19, untilDays: 15, dropK: 7 } as const
const DEAD_SENSOR = { fromDays: 9, untilDays: 6 } as const
const MUTE_METER = { fromDays: 26, untilDays: 25 } as const

/** The scenario with the events before its start. `endS`: simulated second of the end. */
function withEvents(scenario: Scenario, gateways: readonly FieldGateway[], endS: number): Scenario {
  const at = (days: number): number => endS - days * DAY_S
  const silent = (
    target: string | undefined,
    { fromDays, untilDays }: { fromDays: number; untilDays: number },
  ) =>
    target === undefined
      ? []
      : [{ kind: 'offline', target, fromS: at(fromDays), untilS: at(untilDays) } satisfies DeviceFault]
  const snap = { fromS: at(COLD_SPELL.fromDays), untilS: at(COLD_SPELL.untilDays), dropK: COLD_SPELL.dropK }
  return {
    ...scenario,
    weather: { ...scenario.weather, snaps: [...scenario.weather.snaps, snap] },
    faults: [
      ...scenario.faults,
      ...silent(gateways[0]?.rooms[0]?.serial, DEAD_SENSOR),
      ...silent(gateways[1]?.meters[0]?.serial, MUTE_METER),
    ],
  }
}

/**
 * Simulates the devices of a scenario before its start, in real pace: a simulated hour is an hour between the times of readings.
 * Pump houses water by their own timers. Yields after each simulated quarter of an hour, and returns the readings. Registers end
 * with the values with which those of the scenario start.
 */
export function* simulateSeason(scenario: Scenario, span: SeasonSpan): Generator<void, Season> {
  const { days, endMs, endOfDayS } = span
  const hours = days * 24
  // Simulated second of the end: the time of day of the last reading, on the day of the scenario's start.
  const endS = Math.floor(START_S / DAY_S) * DAY_S + endOfDayS
  const beginS = endS - (days + WARM_UP_DAYS) * DAY_S
  const options = { boot: 0, nowMs: endMs, pace: { minMoveS: 0 }, warmUp: beginS } as const
  const calm = createField(scenario, options)
  const field = createField(withEvents(scenario, calm.gateways, endS), options)
  const registers = field.gateways.map(({ meters }) => meters.map((meter) => ({ ...meter })))
  const seasons = field.gateways.map((gateway) => {
    const perHour = gateway.plant.spec.watering === undefined ? 1 : SLOTS_PER_HOUR
    const tracks = gateway.children.map(({ serial }) => createTrack(serial, hours * perHour))
    return { gateway, perHour, tracks }
  })
  const record = ({ gateway, tracks }: (typeof seasons)[number], slot: number): void =>
    gateway.children.forEach((child, index) => {
      tracks[index]?.record(slot, readChild(gateway, child, field.plant.simTimeS))
    })
  const pumpHouses = seasons.filter(({ gateway }) => gateway.plant.spec.watering !== undefined)
  let slot = (-WARM_UP_DAYS * DAY_S) / SLOT_S
  const advance = (): void => {
    for (let done = 0; done < QUARTER_S; done += SLOT_S) {
      stepPlant(field.plant, SLOT_S)
      for (const season of pumpHouses) {
        const isWatering = setValvesByTimer(season.gateway, endMs, field.plant.simTimeS)
        if (slot >= 0 && isWatering) record(season, slot)
      }
      slot++
    }
    for (const gateway of field.gateways) runMeters(gateway, field.plant.simTimeS, QUARTER_S)
  }
  for (let done = 0; done < WARM_UP_DAYS * DAY_S; done += QUARTER_S) {
    advance()
    yield
  }
  for (let hour = 0; hour < hours; hour++) {
    for (let done = 0; done < HOUR_S; done += QUARTER_S) {
      advance()
      yield
    }
    for (const season of seasons) record(season, (hour + 1) * season.perHour - 1)
  }
  field.gateways.forEach(({ meters, placeOf }, index) => {
    meters.forEach((meter, place) => {
      const before = registers[index]?.[place]
      const track = seasons[index]?.tracks[placeOf.get(meter.serial) ?? -1]
      if (before && track) shiftRegisters(track, before, meter)
    })
  })
  return {
    gateways: seasons.map(({ gateway: { serial }, tracks, perHour }) => ({ serial, tracks, perHour })),
    hours,
    instantOf: (hour) => endMs - (hours - 1 - hour) * HOUR_MS,
  }
}

/** Readings of a gateway's devices in the hour that ends at `ts`; devices that did not answer are left out. */
export const readingsAt = ({ tracks, perHour }: SeasonGateway, hour: number, ts: number): ChildReading[] =>
  Array.from({ length: perHour }, (_, part) => part).flatMap((part) =>
    tracks.flatMap((track) => {
      const m = track.at(hour * perHour + part)
      const before = ((perHour - 1 - part) * HOUR_MS) / perHour
      return m === undefined ? [] : [{ id: track.serial, ts: ts - before, m }]
    }),
  )
