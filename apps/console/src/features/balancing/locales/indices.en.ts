import type { IndexName } from '@isotherm/balancing/indices/index-meanings'

/** Meaning of each index in one sentence. */
export const indicesEn = {
  sigmaReturnK:
    'Area-weighted standard deviation of return temperatures from their targets (1 K lower for floor heating). Lower is better.',
  sigmaReturnPerDrop:
    'Standard deviation of return temperatures divided by the mean supply-return difference. Weather changes both alike, so it can be compared between days.',
  spreadReturnK: 'Difference between the 95th and the 5th percentile of the return temperature deviations.',
  withinOneK:
    'Share of valves whose return is within 1 K of its target: the mean, or 1 K less for floor heating.',
  withinHalfK:
    'Share of valves whose return is within 0.5 K of its target: the mean, or 1 K less for floor heating.',
  sigmaRoomK: 'Standard deviation of room temperatures.',
  under18: 'Share of rooms below the legal 18 °C.',
  over22: 'Share of rooms above 22 °C, where heat can be saved.',
  over24: 'Share of rooms above 24 °C, clearly overheated.',
  minImbalance: 'Lowest ratio of actual to required flow: the most undersupplied place.',
  maxImbalance: 'Highest ratio of actual to required flow: the most oversupplied place.',
  balanceDegreePass: 'Share of users with a balance degree of 0.9 to 1.2, independent of the total flow.',
  flowBalance: 'How evenly flow is distributed by demand: 1 is perfect balance.',
  heatIntensityVariation: 'Coefficient of variation of the heat load per m².',
  hydraulicStability: 'How well a user keeps its flow while other valves move; 1 is best.',
  totalFlowKgS: 'Sum of the flows through all valves of the loop.',
  dropK: 'Difference between supply and return temperature at the station.',
  headPa: 'Difference between supply and return pressure at the station: the available head.',
  pumpW: 'Electric power of the circulation pump to move the total flow against the available head.',
  pumpMonthKWhM2: 'Pump energy per m² and month at the present power.',
  heatWM2: 'Mean heat load per m² of the loop.',
  heatWM2K:
    'Heat load per m² and per degree between indoors and outdoors: consumption corrected for weather.',
  loopPressureDifference:
    'Largest relative difference between the pressure loss of a parallel circuit and their mean, at present openings and required flows; up to 15% passes.',
  movesPerValve:
    'Moves per valve in the last 7 days or in a whole campaign: all rounds, test moves, trims, moves taken back and the rollback.',
  movesPerValveDay:
    'Mean moves per valve and day over the last 7 days, by any user; too many drain the battery.',
  travelPerValve: 'Full strokes per valve in the last 7 days or in a whole campaign.',
  hoursToBalance:
    'Time from the approval of a campaign to the verification of its last round, including settling and waits between rounds.',
  excludedShare: 'Share of valves excluded from balancing: held, control disabled, offline or not measured.',
  saturatedShare: 'Share of valves that are fully open or at their minimum and cannot be adjusted further.',
  notMeasuredShare: 'Share of valves without a usable return temperature.',
} as const satisfies Record<IndexName, string>
