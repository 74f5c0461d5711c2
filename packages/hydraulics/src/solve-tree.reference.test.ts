import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { metre, pascal, resistance } from '@isotherm/kernel/quantities'
import { describe, expect, it } from 'vitest'
import { createTreeState, solveTree } from './solve-tree.ts'
import { createTreeNetwork } from './tree-network.ts'

/**
 * Compares flows with EPANET's on published two-pipe networks, read in place. The data is not part of this
 * repository: set ISOTHERM_REFERENCE to its folder.
 */
const folder = process.env.ISOTHERM_REFERENCE
  ? join(process.env.ISOTHERM_REFERENCE, 'hydraulics', 'two-pipe-networks')
  : undefined
const cases =
  folder !== undefined && existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^secnet_\w+\.json$/.test(name))
        .map((name) => name.replace('.json', ''))
    : []

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function readRecord(path: string): Record<string, unknown> {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!isRecord(value)) throw new Error(`${path} is not an object`)
  return value
}

function rowsOf(value: unknown): number[][] {
  if (!Array.isArray(value)) throw new Error('rows expected')
  return value.map((row: unknown) => (Array.isArray(row) ? row.map(Number) : []))
}

const cell = (row: readonly number[], index: number): number => row[index] ?? Number.NaN

function ownFlows(path: string): Map<number, number> {
  const model = readRecord(path)
  const pipes = rowsOf(model.pipes)
  const consumers = rowsOf(model.consumers)
  const outcome = createTreeNetwork(
    // Node n is the end of pipe n − 1; parent 0 is the source.
    pipes.map((row) => ({
      parent: cell(row, 1) - 1,
      length: metre(cell(row, 2) * cell(row, 3)),
      innerDiameter: metre(cell(row, 4)),
      roughness: metre(cell(row, 5)),
      localLoss: 0,
      runs: 2,
    })),
    consumers.map((row) => ({ node: cell(row, 0) - 1, resistance: resistance(cell(row, 1)) })),
    { densityKgM3: Number(model.rho), viscosityPaS: Number(model.mu) },
  )
  if (outcome.kind !== 'tree') throw new Error(`no tree: ${outcome.kind}`)
  consumers.forEach((row, index) => {
    outcome.network.valveResistance[index] = cell(row, 5)
  })
  const state = createTreeState(outcome.network)
  expect(solveTree(outcome.network, state, { kind: 'head', head: pascal(Number(model.H_pa)) })).toBe('solved')
  const litresPerKg = 1000 / Number(model.rho)
  return new Map(consumers.map((row, index) => [cell(row, 0), (state.circuitFlow[index] ?? 0) * litresPerKg]))
}

describe.skipIf(cases.length === 0)(
  'two-pipe networks against EPANET (skipped unless ISOTHERM_REFERENCE names the reference folder)',
  () => {
    it.each(cases.length === 0 ? ['no reference folder'] : cases)('%s: every flow within 1e-4', (name) => {
      const base = join(folder ?? '', name)
      const links = readRecord(`${base}.epanet_result.json`).links
      if (!isRecord(links)) throw new Error('links expected')
      const flows = ownFlows(`${base}.json`)
      expect(flows.size).toBeGreaterThan(0)
      let worst = 0
      for (const [node, flow] of flows) {
        const theirs = Number(links[`V${node}`])
        worst = Math.max(worst, Math.abs(flow - theirs) / theirs)
      }
      expect(worst).toBeLessThan(1e-4)
    })
  },
)
