import { readFileSync } from 'node:fs'
import { kilogramPerSecond, metre, pascalGauge } from '@isotherm/kernel/quantities'
import { expectReported, findReference, WITHOUT_REFERENCE } from '@isotherm/kernel/verification.testkit'
import { describe, expect, it } from 'vitest'
import { createNetwork } from './network.ts'
import { createNetworkState, solveNetwork } from './solve-network.ts'

const pipesPath = findReference('hydraulics', 'destest-ce0', 'Pipe_data_2.csv')
const toolsPath = findReference('hydraulics', 'destest-ce0', 'DESTEST_data.csv')
const pydhnPath = findReference('hydraulics', 'destest-ce0', 'network-CE_0_pydhn_results.csv')

/** The tools that agree on the exercise; the sixth, SIM-VICUS, used another length for i–h. */
const tools: Readonly<Record<string, string>> = {
  'AAU, Alessandro': 'Modelica_Buildings_AAU_Alessandro',
  'AAU, JL': 'Modelica_Buildings_AAU_JL',
  'AAU, Martin': 'Modelica_Buildings_AAU_Martin',
  'TRNSYS, TUD 2022': 'TRNSYS_TUD_2022',
}
const quantities = [
  'Pressure drop supply between i and e [Pa]',
  'Pressure drop return between a and i [Pa]',
  'Pressure drop return between i and h [Pa]',
]

const readTable = (path: string): readonly (readonly string[])[] =>
  readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => line.split(',').map((cell) => cell.trim()))

/** The first row's number in the column of that name. */
function readCell([head, first]: readonly (readonly string[])[], column: string): number {
  const at = head?.indexOf(column) ?? -1
  if (at < 0) throw new Error(`no column ${column}`)
  return Number(first?.[at])
}

/** Steady flow of 553 kg/h to each of 16 houses, with water and walls of the exercise. Returns pressure drops in Pa. */
function solveExercise(path: string): (from: string, to: string) => number {
  const rows = readTable(path).slice(1)
  const names = [...new Set(rows.flatMap(([from = '', to = '']) => [from, to]))]
  const outcome = createNetwork({
    nodes: names.map((name) => ({
      height: metre(0),
      demand: kilogramPerSecond(name.startsWith('SimpleDistrict') ? 553 / 3600 : 0),
      ...(name === 'i' ? { pressure: pascalGauge(5e5) } : {}),
    })),
    links: rows.map(([from = '', to = '', length = '', , , , , , inner = '']) => ({
      kind: 'pipe',
      from: names.indexOf(to),
      to: names.indexOf(from),
      length: metre(Number(length)),
      innerDiameter: metre(Number(inner)),
      roughness: metre(0.007e-3),
      localLoss: 0,
    })),
    fluid: { densityKgM3: 988, viscosityPaS: 5.434e-4 },
    friction: 'swamee-jain',
  })
  if (outcome.kind !== 'network') throw new Error(outcome.kind)
  const state = createNetworkState(outcome.network)
  expect(solveNetwork(outcome.network, state)).toBe('solved')
  const pressureAt = (name: string): number => state.nodePressure[names.indexOf(name)] ?? Number.NaN
  return (from, to) => pressureAt(from) - pressureAt(to)
}

describe.skipIf(pipesPath === undefined)(`DESTEST Common Exercise 0 ${WITHOUT_REFERENCE}`, () => {
  it('computes each pressure drop inside the range of the five tools that agree', () => {
    const drop = solveExercise(pipesPath ?? '')
    // The return is parallel to the supply: the same pipes with opposite flows.
    const ours = [drop('i', 'e'), drop('i', 'a'), drop('i', 'h')]
    const published = readTable(toolsPath ?? '')
    const pydhn = readTable(pydhnPath ?? '')
    const rows = quantities.map((quantity, index) => {
      const theirs = [
        ...Object.values(tools).map((tool) => readCell(published, `${quantity} - ${tool}`)),
        readCell(pydhn, quantity),
      ]
      const own = ours[index] ?? Number.NaN
      expect(own, quantity).toBeGreaterThanOrEqual(Math.min(...theirs))
      expect(own, quantity).toBeLessThanOrEqual(Math.max(...theirs))
      return [quantity, ...[...theirs, own].map((value) => value.toFixed(0))]
    })
    expectReported({
      id: 'hydraulics-destest',
      title: 'DESTEST Common Exercise 0: pressure drops',
      about: [
        'Sixteen houses on a radial network of plastic pipes ([IBPSA project 1](https://github.com/ibpsa/project1-destest), revised',
        'BSD). Each drop lies inside the range of the five tools that agree; SIM-VICUS took 36 m for 26.83 m between i and h.',
      ].join('\n'),
      head: ['quantity', ...Object.keys(tools), 'pyDHN', 'ours'],
      rows,
    })
  })
})
