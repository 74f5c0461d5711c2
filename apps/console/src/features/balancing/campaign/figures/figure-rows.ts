import type { IndexName } from '@isotherm/balancing/indices/index-meanings'
import { correctSigma } from '@isotherm/balancing/indices/weather-correction'
import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { findBetter, toShown } from '../../indices/index-value.ts'

/** Indices that judge a campaign, in display order. */
const shownIndices = [
  'sigmaReturnK',
  'sigmaReturnPerDrop',
  'withinOneK',
  'sigmaRoomK',
  'under18',
  'over24',
  'heatWM2',
  'loopPressureDifference',
  'hydraulicStability',
  'movesPerValve',
  'travelPerValve',
  'hoursToBalance',
] as const satisfies IndexName[]
/** Figures of the station, shown below the indices. */
const stationFigures = ['flow', 'head', 'pump', 'supply', 'return', 'outdoor'] as const
export type StationFigure = (typeof stationFigures)[number]
export type FigureName = (typeof shownIndices)[number] | StationFigure

const isStationFigure = (name: FigureName): name is StationFigure =>
  stationFigures.some((known) => known === name)

interface Unit {
  readonly unit: string
  readonly decimals: number
}

const stationUnits: Readonly<Record<StationFigure, Unit>> = {
  flow: { unit: 'm³/h', decimals: 1 },
  head: { unit: 'kPa', decimals: 1 },
  pump: { unit: 'kW', decimals: 2 },
  supply: { unit: '°C', decimals: 1 },
  return: { unit: '°C', decimals: 1 },
  outdoor: { unit: '°C', decimals: 1 },
}

/** Unit of a figure. */
export const toFigureUnit = (name: FigureName): Unit =>
  isStationFigure(name) ? stationUnits[name] : toShown(name)

/** A figure before and after a campaign, in its display unit. */
interface Times {
  readonly before: number | undefined
  readonly expected: number | undefined
  readonly after: number | undefined
}

export interface FigureRow extends Times {
  readonly name: FigureName
  /** 90% confidence bounds; present until the result is measured. */
  readonly best?: number
  readonly worst?: number
  /** The measured value in the weather before. */
  readonly corrected?: number
  /** Measured change, corrected for weather if possible, or the predicted one until measured. */
  readonly change?: number
  /** Whether the change is an improvement; absent if neutral. */
  readonly better?: boolean
}

type Figured = Pick<CampaignDetail, 'indices' | 'station'>
type Point = CampaignDetail['station']['before']

const pointKeys = {
  flow: 'flowM3H',
  head: 'headKpa',
  pump: 'pumpKw',
  supply: 'supplyC',
  return: 'returnC',
  outdoor: 'outdoorC',
} as const satisfies Record<StationFigure, keyof Point>

function findTimes({ indices, station }: Figured, name: FigureName): Times {
  if (isStationFigure(name)) {
    const at = (point: Point | undefined) => point?.[pointKeys[name]]
    return { before: at(station.before), expected: at(station.expected), after: at(station.after) }
  }
  const { factor } = toShown(name)
  const at = (values: Readonly<Record<string, number>> | undefined) => {
    const value = values?.[name]
    return value === undefined ? undefined : value * factor
  }
  return { before: at(indices.before), expected: at(indices.expected), after: at(indices.after) }
}

/** Smallest relevant change of pump power, kW. */
const SAME_PUMP_KW = 0.005

function isBetter(name: FigureName, from: number, to: number): boolean | undefined {
  if (!isStationFigure(name)) {
    const { factor } = toShown(name)
    return findBetter(name, from / factor, to / factor)
  }
  if (name !== 'pump' || Math.abs(to - from) < SAME_PUMP_KW) return undefined
  return to < from
}

/** 90% confidence bounds of the indices that have one, until the result is measured. */
function findBounds({ indices }: Figured, { name, after }: Pick<FigureRow, 'name' | 'after'>) {
  if (isStationFigure(name) || after !== undefined) return {}
  const { factor } = toShown(name)
  const [best, worst] = [indices.best?.[name], indices.worst?.[name]]
  return {
    ...(best !== undefined && { best: best * factor }),
    ...(worst !== undefined && { worst: worst * factor }),
  }
}

/** The measured spread of returns in the weather before; undefined if it is not known. */
export const findCorrected = ({ indices: { before, after } }: Pick<Figured, 'indices'>): number | undefined =>
  after && correctSigma(before, after)

/** Whether the measured result is obsolete, because the campaign is rolled back or rolling back. */
export const isUndone = ({ state }: Pick<CampaignDetail, 'state'>): boolean =>
  state === 'rolling-back' || state === 'rolled-back'

/** Rows of known figures with their changes. */
export const toFigureRows = (campaign: Figured): readonly FigureRow[] =>
  [...shownIndices, ...stationFigures].flatMap((name) => {
    const found = findTimes(campaign, name)
    const corrected = name === 'sigmaReturnK' ? findCorrected(campaign) : undefined
    const times = {
      ...found,
      ...findBounds(campaign, { name, after: found.after }),
      ...(corrected !== undefined && { corrected }),
    }
    const { before, expected, after } = times
    const then = corrected ?? after ?? expected
    if (before === undefined && then === undefined) return []
    if (before === undefined || then === undefined) return [{ name, ...times }]
    const better = isBetter(name, before, then)
    return [{ name, ...times, change: then - before, ...(better !== undefined && { better }) }]
  })
