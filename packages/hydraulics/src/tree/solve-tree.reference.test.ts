import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { metre, pascal, resistance } from '@isotherm/kernel/quantities'
import { expectReported, findReference, WITHOUT_REFERENCE } from '@isotherm/kernel/verification.testkit'
import { describe, expect, it } from 'vitest'
import { createTreeState, solveTree } from './solve-tree.ts'
import { createTreeNetwork } from './tree-network.ts'

const folder = findReference('hydraulics', 'two-pipe-networks')
const names =
  folder === undefined
    ? []
    : readdirSync(folder)
        .filter((name) => /^secnet_\w+\.json$/.test(name))
        .map((name) => name.replace('.json', ''))
        .toSorted()

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

/** Flows in l/s by the consumer's node. */
function ownFlows(path: string): Map<number, number> {
  const model = readRecord(path)
  const consumers = rowsOf(model.consumers)
  const outcome = createTreeNetwork(
    // Node n is the end of pipe n − 1; parent 0 is the source.
    rowsOf(model.pipes).map((row) => ({
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

/** Largest relative difference of a consumer's flow from EPANET's. */
function measureDifference(name: string): { readonly consumers: number; readonly worst: number } {
  const base = join(folder ?? '', name)
  const { links } = readRecord(`${base}.epanet_result.json`)
  if (!isRecord(links)) throw new Error('links expected')
  const flows = ownFlows(`${base}.json`)
  const differences = [...flows].map(([node, flow]) => {
    const theirs = Number(links[`V${node}`])
    return Math.abs(flow - theirs) / theirs
  })
  return { consumers: flows.size, worst: Math.max(...differences) }
}

describe.skipIf(folder === undefined)(`two-pipe networks against EPANET ${WITHOUT_REFERENCE}`, () => {
  it('computes every flow within 1e-4 of EPANET’s', () => {
    const measured = names.map((name) => ({ name, ...measureDifference(name) }))
    expect(measured.length).toBeGreaterThan(0)
    for (const { name, worst } of measured) expect(worst, name).toBeLessThan(1e-4)
    expectReported({
      id: 'hydraulics-epanet-files',
      title: 'Two-pipe networks: the tree solver against EPANET',
      about:
        'Largest relative difference of a consumer’s flow from EPANET’s (Darcy–Weisbach, valves as throttles). Bound 1·10⁻⁴.',
      head: ['network', 'consumers', 'largest difference of a flow'],
      rows: measured.map(({ name, consumers, worst }) => [name, String(consumers), worst.toExponential(1)]),
    })
  })
})
