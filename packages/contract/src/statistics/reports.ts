/** A figure of a report: its unit and display. A `share` is 0..1 on the wire and shown in percent. */
export interface FigureDefinition {
  readonly unit:
    | 'K'
    | 'K·h'
    | '°C'
    | 'share'
    | 'kW'
    | 'kWh'
    | 'kWh/m²'
    | 'Wh/(m²·K·d)'
    | 'count'
    | 'm²'
    | 'strokes'
  readonly decimals: number
  /** Which end of a ranking is the better one; absent for a figure that only describes. */
  readonly better?: 'low' | 'high'
}

interface ReportDefinition {
  /** Figure of the ranking, the distribution and the course. */
  readonly main: string
  readonly figures: Readonly<Record<string, FigureDefinition>>
}

const kelvin = { unit: 'K', decimals: 2, better: 'low' } as const
const goodShare = { unit: 'share', decimals: 1, better: 'high' } as const

/**
 * The fixed reports, each with its figures in the order of the page. The formulas are those of the pages that show the
 * same figures now: indices of balance (packages/balancing/src/indices), heat of registers (modules/meters).
 */
export const reports = {
  /** Mean return temperatures of valves over the range. */
  balance: {
    main: 'sigmaReturnK',
    figures: {
      sigmaReturnK: kelvin,
      spreadReturnK: kelvin,
      withinOneK: goodShare,
      meanReturnC: { unit: '°C', decimals: 1 },
    },
  },
  /** Rooms by their daily means; the limits are those of room-bands.ts. */
  comfort: {
    main: 'coldShare',
    figures: {
      coldShare: { unit: 'share', decimals: 1, better: 'low' },
      coldDegreeHours: { unit: 'K·h', decimals: 1, better: 'low' },
      coldRooms: { unit: 'count', decimals: 0, better: 'low' },
      hotShare: { unit: 'share', decimals: 1, better: 'low' },
      meanRoomC: { unit: '°C', decimals: 1 },
    },
  },
  /** Heat of registers, per m², and per m² and degree-day. */
  heat: {
    main: 'whPerM2Kd',
    figures: {
      whPerM2Kd: { unit: 'Wh/(m²·K·d)', decimals: 1, better: 'low' },
      kwhPerM2: { unit: 'kWh/m²', decimals: 2, better: 'low' },
      heatKwh: { unit: 'kWh', decimals: 0 },
      estimatedShare: { unit: 'share', decimals: 1, better: 'low' },
      areaM2: { unit: 'm²', decimals: 0 },
    },
  },
  /** Electricity of the pumps of stations by their daily mean power. */
  pumps: {
    main: 'pumpMonthKwhM2',
    figures: {
      pumpMonthKwhM2: { unit: 'kWh/m²', decimals: 3, better: 'low' },
      pumpKw: { unit: 'kW', decimals: 1, better: 'low' },
      pumpKwh: { unit: 'kWh', decimals: 0, better: 'low' },
      pumpAreaM2: { unit: 'm²', decimals: 0 },
    },
  },
  /** Hours with a reading among all hours, by kind of device. */
  availability: {
    main: 'reportedShare',
    figures: {
      reportedShare: goodShare,
      valveShare: goodShare,
      meterShare: goodShare,
      roomShare: goodShare,
      stationShare: goodShare,
      silentDevices: { unit: 'count', decimals: 0, better: 'low' },
    },
  },
  /** Movement of valves by the extremes of their days: at least so much, because a day may have several moves. */
  moves: {
    main: 'strokesPerMonth',
    figures: {
      strokesPerMonth: { unit: 'strokes', decimals: 2, better: 'low' },
      movedDayShare: { unit: 'share', decimals: 1, better: 'low' },
      meanOpening: { unit: 'share', decimals: 0 },
    },
  },
} as const satisfies Record<string, ReportDefinition>

export type ReportName = keyof typeof reports

export const reportNames = Object.keys(reports) as readonly ReportName[]

/** Name of a figure of any report. */
export type FigureName = { [Name in ReportName]: keyof (typeof reports)[Name]['figures'] }[ReportName]

/** Figures of a report in the order of the page. */
export const listFigures = (name: ReportName): readonly (readonly [FigureName, FigureDefinition])[] =>
  Object.entries(reports[name].figures) as unknown as readonly (readonly [FigureName, FigureDefinition])[]

export const mainFigure = (name: ReportName): FigureName => reports[name].main

/** Share of the devices that must be measured, so that a figure stands for its node. */
export const ENOUGH_COVERAGE = 0.8
