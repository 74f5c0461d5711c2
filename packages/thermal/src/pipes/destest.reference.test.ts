import { readFileSync } from 'node:fs'
import { celsius, kilogramPerSecond, metre } from '@isotherm/kernel/quantities'
import { expectReported, findReference, WITHOUT_REFERENCE } from '@isotherm/kernel/verification.testkit'
import { describe, expect, it } from 'vitest'
import { layeredLoss, mixTemperature, outletTemperature } from './pipe-heat.ts'

/** Common Exercise 0: 16 consumers of 553 kg/h and 30 K, water of 70 °C and 4180 J/(kg·K), ground of 10 °C. */
const CONSUMER_KG_S = 553 / 3600
const CONSUMER_DROP_K = 30
const SUPPLY_C = 70
const GROUND_C = 10
const HEAT_CAPACITY = 4180
const PIPE_W_M_K = 0.35
const INSULATION_W_M_K = 0.026

const pipesFile = findReference('hydraulics', 'destest-ce0', 'Pipe_data_2.csv')
const toolsFile = findReference('hydraulics', 'destest-ce0', 'DESTEST_data.csv')
const pydhnFile = findReference('hydraulics', 'destest-ce0', 'network-CE_0_pydhn_results.csv')

const readCells = (path: string | undefined): string[][] =>
  readFileSync(path ?? '', 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(',').map((cell) => cell.trim()))

interface Pipe {
  readonly far: string
  readonly near: string
  readonly lengthM: number
  readonly lossWMK: number
  flowKgS: number
}

/** "25 x 2.3" is outer diameter and wall of a PE pipe in mm. */
function readPipes(): Pipe[] {
  return readCells(pipesFile)
    .slice(1)
    .map((cells) => {
      const [far = '', near = '', length = '', , , , , size = '', inner = '', insulation = ''] = cells
      const outer = Number(size.split('x')[0]) / 2000
      const layers = [
        { outerRadius: outer, conductivity: PIPE_W_M_K },
        { outerRadius: outer + Number(insulation), conductivity: INSULATION_W_M_K },
      ]
      const lossWMK = layeredLoss(metre(Number(inner) / 2), layers)
      return { far, near, lengthM: Number(length), lossWMK, flowKgS: 0 }
    })
}

interface Network {
  readonly below: (node: string) => readonly Pipe[]
  readonly supplyC: Map<string, number>
  readonly returnC: Map<string, number>
}

/** Flows up, supply temperatures down, return temperatures up: one walk of the tree from the source i. */
function solveTemperatures(pipes: readonly Pipe[]): Network {
  const below = (node: string) => pipes.filter((pipe) => pipe.near === node)
  const network: Network = { below, supplyC: new Map([['i', SUPPLY_C]]), returnC: new Map() }
  const cool = (pipe: Pipe, inletC: number): number =>
    outletTemperature(
      celsius(inletC),
      celsius(GROUND_C),
      pipe.lossWMK,
      metre(pipe.lengthM),
      kilogramPerSecond(pipe.flowKgS),
      HEAT_CAPACITY,
    )
  const gather = (node: string): number => {
    const branches = below(node)
    if (branches.length === 0) return CONSUMER_KG_S
    for (const pipe of branches) pipe.flowKgS = gather(pipe.far)
    return branches.reduce((sum, pipe) => sum + pipe.flowKgS, 0)
  }
  const walk = (node: string): number => {
    const here = network.supplyC.get(node) ?? Number.NaN
    const branches = below(node)
    const backs = branches.map((pipe) => {
      network.supplyC.set(pipe.far, cool(pipe, here))
      return cool(pipe, walk(pipe.far))
    })
    const back =
      branches.length === 0
        ? here - CONSUMER_DROP_K
        : mixTemperature(
            branches.map((pipe) => pipe.flowKgS),
            backs,
            here,
          )
    network.returnC.set(node, back)
    return back
  }
  gather('i')
  walk('i')
  return network
}

/** What the exercise reports of each tool, from our temperatures, by the name of its column. */
function ourFigures(): Map<string, number> {
  const pipes = readPipes()
  const { supplyC, returnC } = solveTemperatures(pipes)
  const supply = (node: string): number => supplyC.get(node) ?? Number.NaN
  const back = (node: string): number => returnC.get(node) ?? Number.NaN
  const mains = pipes.filter((pipe) => pipe.near === 'i')
  const total = mains.reduce((sum, pipe) => sum + pipe.flowKgS, 0)
  const toH = mains.find((pipe) => pipe.far === 'h')?.flowKgS ?? Number.NaN
  const nodes = ['h', 'g', 'f', 'e', 'SimpleDistrict_1']
  return new Map([
    ['Mass flow rate supply i [kg_h]', total * 3600],
    ...nodes.map((node) => [`Fluid temperature supply ${node} [C]`, supply(node)] as const),
    ...['i', ...nodes].map((node) => [`Fluid temperature return ${node} [C]`, back(node)] as const),
    ['Heat loss supply between i and h [W]', toH * HEAT_CAPACITY * (SUPPLY_C - supply('h'))],
    ['Total heat load supplied by heat source [W]', total * HEAT_CAPACITY * (SUPPLY_C - back('i'))],
  ])
}

/** The five that agree on the network: SIM-VICUS has a longer first pipe, TRNSYS of 2021 is the one of 2022 unfinished. */
const TOOLS = [
  ['AAU-A', ' - Modelica_Buildings_AAU_Alessandro'],
  ['AAU-JL', ' - Modelica_Buildings_AAU_JL'],
  ['AAU-M', ' - Modelica_Buildings_AAU_Martin'],
  ['TRNSYS', ' - TRNSYS_TUD_2022'],
] as const

function theirFigures(figure: string): number[] {
  const pick = (cells: string[][], column: string): number => {
    const at = cells[0]?.indexOf(column) ?? -1
    return Number(cells[1]?.[at])
  }
  const tools = readCells(toolsFile)
  const pydhn = readCells(pydhnFile)
  return [...TOOLS.map(([, suffix]) => pick(tools, figure + suffix)), pick(pydhn, figure)]
}

const digits = (value: number): string => (Math.abs(value) < 200 ? value.toFixed(3) : value.toFixed(1))

describe.skipIf(pipesFile === undefined || toolsFile === undefined || pydhnFile === undefined)(
  `DESTEST Common Exercise 0, heat ${WITHOUT_REFERENCE}`,
  () => {
    it('has every temperature, loss and load inside the range of the five consistent tools', () => {
      const rows = [...ourFigures()].map(([figure, ours]) => {
        const theirs = theirFigures(figure)
        expect(theirs.every(Number.isFinite), figure).toBe(true)
        expect(ours, figure).toBeGreaterThanOrEqual(Math.min(...theirs))
        expect(ours, figure).toBeLessThanOrEqual(Math.max(...theirs))
        return [figure, ...theirs.map(digits), digits(ours)]
      })
      expect(rows.length).toBe(14)
      expectReported({
        id: 'thermal-destest',
        title: 'DESTEST Common Exercise 0: temperatures and losses',
        about:
          'A tree of 16 consumers (IBPSA project 1, DESTEST, revised BSD; pyDHN’s own result) beside pipe loss by layers, `outletTemperature` and `mixTemperature`. Bound: inside the range of the five tools that agree on the network.',
        head: ['figure', ...TOOLS.map(([tool]) => tool), 'pyDHN', 'here'],
        rows,
      })
    })
  },
)
