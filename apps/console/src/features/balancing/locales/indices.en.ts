import type { IndexName } from '@isotherm/balancing/indices/index-meanings'

/** What each index tells, in a sentence. */
export const indicesEn = {
  sigmaReturnK:
    'How far return temperatures are from their targets, weighted by area, floors’ being 1 K lower; the less the better.',
  spreadReturnK: 'Difference of the 95th and the 5th percentile: how far the warm are from the cold.',
  withinOneK: 'Share of valves whose return is less than 1 K from the mean, floors’ from 1 K below it.',
  withinHalfK: 'Share of valves whose return is less than 0.5 K from the mean, floors’ from 1 K below it.',
  sigmaRoomK: 'Standard deviation of the rooms: how unequally warm they are.',
  under18: 'Share of rooms below the legal 18 °C.',
  over22: 'Share of rooms above 22 °C, where heat can be saved.',
  over24: 'Share of rooms above 24 °C, clearly too warm.',
  leastImbalance: 'Where flow is shortest: the least ratio of actual to required flow.',
  greatestImbalance: 'Where flow is most abundant: the greatest ratio of actual to required flow.',
  balanceDegreePass: 'Share of consumers with a balance degree of 0.9 to 1.2, whatever the total flow is.',
  flowBalance: 'How evenly flow is given by need: 1 is a perfect balance.',
  heatIntensityVariation: 'Variation of the heat for each square metre: how unequally it is given.',
  hydraulicStability: 'How well a consumer keeps its flow while others move; 1 is best.',
  totalFlowKgS: 'Sum of the flows through the valves of the loop.',
  dropK: 'Difference of supply and return temperature at the station.',
  headPa: 'Difference of supply and return pressure at the station: the available head.',
  pumpW: 'Electric power that takes the total flow over the available head.',
  pumpMonthKWhM2: 'Energy of the pump for each square metre in a month at the present power.',
  heatWM2: 'Heat for each square metre, mean of the loop.',
  heatWM2K: 'Heat for each square metre and degree between inside and outside: use beside the weather.',
  loopPressureDifference:
    'Greatest difference of a loop’s pressure loss from their mean, as valves stand and at the flows that are required; up to 15 % is well tuned.',
  movesPerValve: 'Moves of each valve, in the last seven days or in one round of a campaign.',
  movesPerValveDay:
    'Moves of each valve in a day, whoever moved it, over the last seven; too many empty the battery.',
  travelPerValve:
    'Full strokes that each valve travelled, in the last seven days or in one round of a campaign.',
  hoursToBalance:
    'Time from the approval of a campaign until its last round was verified, with the time to settle and any wait between rounds.',
  excludedShare: 'Share of valves left out: held, switched off, not heard or not measured.',
  saturatedShare: 'Share of valves that are fully open or at their least and can be set no further.',
  notMeasuredShare: 'Share of valves without a believable return temperature.',
} as const satisfies Record<IndexName, string>
