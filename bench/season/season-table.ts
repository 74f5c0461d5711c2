import { comfortOf } from './equal-comfort.ts'
import { APART_K, type SeasonResult, type SeasonRun } from './run-season.ts'
import { roomQuantile } from './tally.ts'

const HEAD = [
  'seed',
  'run',
  'shift K',
  'heat MWh',
  'pump MWh',
  '5 % °C',
  '50 % °C',
  '<18 °C Kh',
  '>22 °C Kh',
  'moves',
] as const

const toLine = (cells: readonly string[]): string =>
  cells.map((cell, column) => (column === 1 ? cell.padEnd(14) : cell.padStart(9))).join('  ')

const toCells = (seed: number, name: string, shift: string, { tally, moves }: SeasonRun): string[] => [
  String(seed),
  name,
  shift,
  (tally.heatKwh / 1000).toFixed(0),
  (tally.pumpKwh / 1000).toFixed(1),
  comfortOf(tally).toFixed(2),
  roomQuantile(tally, 0.5).toFixed(2),
  tally.coldKh.toFixed(0),
  tally.hotKh.toFixed(0),
  String(moves),
]

const toMwh = (kwh: number): string => (kwh / 1000).toFixed(0)

/** Lines of all runs, and of what the strategies did and reported. */
export function toSeasonTable(results: readonly SeasonResult[]): readonly string[] {
  const runs = results.flatMap(({ seed, shiftK, alone, industry, ours }) => [
    ...alone.map((run, index) => toCells(seed, 'left alone', String(shiftK + APART_K * index), run)),
    ...industry.map((run, index) => toCells(seed, 'industry loop', String(shiftK - APART_K * index), run)),
    toCells(seed, 'ours', `${shiftK}→${ours.endShiftK}`, ours),
  ])
  const listed = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([name, count]) => `${name} ${count}`).join(', ')
  const strategies = results.flatMap(({ seed, alone, ours, reported }) => [
    `seed ${seed}: valves and pump: ${listed(ours.balance.outcomes)}; head at the end ${ours.endHeadKpa} kPa`,
    `seed ${seed}: supply: ${listed(ours.supply.reasons)}`,
    `seed ${seed}: reported ${reported ? `${toMwh(reported.savedKwh)} (${toMwh(reported.lowKwh)} to ${toMwh(reported.highKwh)})` : 'nothing'} MWh, true ${toMwh(alone[0].tally.heatKwh - ours.tally.heatKwh)} MWh`,
  ])
  return [toLine(HEAD), ...runs.map(toLine), '', ...strategies]
}
