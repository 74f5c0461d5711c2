import { readFileSync } from 'node:fs'
import { celsius, kilogramPerSecond, metre, pascalGauge, resistance } from '@isotherm/kernel/quantities'
import type { FrictionLaw } from '../elements/friction.ts'
import type { PumpCurve } from '../elements/pump.ts'
import { type Fluid, waterAt } from '../elements/water.ts'
import type { LinkSpec, NetworkSpec, NodeSpec } from './network-spec.ts'

/** One row of a table of a published net, by column. */
type Row = Readonly<Record<string, unknown>>

/** A net of pandapipes' collection with the pressures and speeds computed by another tool. */
export interface PublishedNet {
  readonly name: string
  readonly spec: NetworkSpec
  /** Pressure at each node, bar above atmosphere; absent if the tool gives none. */
  readonly pressuresBar: readonly (number | undefined)[]
  readonly speeds: readonly PublishedSpeed[]
}

/** Mean speed of the water along a pipe: `perFlow` times the flow of `link`, m/s. */
export interface PublishedSpeed {
  readonly link: number
  readonly perFlow: number
  readonly speedMS: number
}

/** A net without a pressure source or without its fluid, which cannot be solved. */
export interface UnsolvableNet {
  readonly name: string
  readonly why: string
}

const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Rows in service of a table stored as columns and data. */
function rowsOf(table: unknown): readonly Row[] {
  if (table === undefined) return []
  if (!isRow(table) || !isList(table.columns) || !isList(table.data)) throw new Error('table expected')
  const columns = table.columns.map(String)
  const index = isList(table.index) ? table.index : []
  return table.data
    .map((row, at): Row => {
      if (!isList(row)) throw new Error('row expected')
      return { index: index[at], ...Object.fromEntries(columns.map((column, place) => [column, row[place]])) }
    })
    .filter((row) => row.in_service !== false)
}

function numberIn(row: Row, column: string): number {
  const value = row[column]
  if (typeof value !== 'number') throw new Error(`${column} is no number`)
  return value
}

const findNumber = (row: Row, column: string): number | undefined => {
  const value = row[column]
  return typeof value === 'number' ? value : undefined
}

const M3H_PER_KG_S = 3.6

/**
 * Curves of the pumps that the nets name, from their own files: bar over m³/h as a·x² + b·x + c (pandapipes, BSD-3-Clause:
 * network_files/…/pumps.json and std_types/library/Pump/P2.csv).
 */
const pumpTypes: Readonly<Record<string, readonly [a: number, b: number, c: number]>> = {
  om_P1: [-0.0001486298608891042, -0.012957671887048236, 6.1],
  om_P2: [-0.0001486298608891042, -0.012957671887048236, 6.1],
  P2: [-0.0008247610475333237, -0.0026404783335478533, 9.972144357292878],
}

function toCurve(type: unknown, densityKgM3: number): PumpCurve {
  const [a, b, c] = pumpTypes[String(type)] ?? [Number.NaN, Number.NaN, Number.NaN]
  const perKg = (M3H_PER_KG_S * 1000) / densityKgM3
  return { h0: c * 1e5, h1: b * perKg * 1e5, h2: -a * perKg ** 2 * 1e5 }
}

const lawOf = (file: string): FrictionLaw => {
  if (file.endsWith('_N.json')) return 'nikuradse'
  if (file.startsWith('stanet')) return 'colebrook-stanet'
  return file.includes('swamee-jain') ? 'swamee-jain' : 'colebrook'
}

/** Compressibility of water between 20 and 80 °C, 1/bar, within 4 %. */
const COMPRESSIBILITY = 4.5e-5

/**
 * The water in a pipe from its `from` to its `to`: the network's water, or water at the temperatures that the other tool
 * computed for the pipe's cells, at about their pressure.
 */
function listFluids(row: Row, own: Fluid, startBar: number, endBar: number): readonly Fluid[] {
  if (!isList(row.T_om)) return [own]
  const cells = row.T_om.map(Number)
  return cells.map((kelvin, index) => {
    const { densityKgM3, viscosityPaS } = waterAt(celsius(kelvin - 273.15))
    const bar = startBar + ((endBar - startBar) * (index + 0.5)) / cells.length
    return { densityKgM3: densityKgM3 * (1 + COMPRESSIBILITY * bar), viscosityPaS }
  })
}

/**
 * A pipe as links. If water cools along it, Modelica's pipe of n cells has friction and weight in n − 1 sections between
 * the cell middles, each with the water of its upstream cell. This does the same, and adds the nodes between.
 */
function toLinks(row: Row, ends: { from: number; to: number }, fluids: readonly Fluid[], nodes: NodeSpec[]) {
  const isBackwards = (findNumber(row, 'v_om') ?? 0) < 0
  const upstream = isBackwards ? fluids.slice(1) : fluids.slice(0, -1)
  const waters = fluids.length === 1 ? fluids : upstream
  const start = nodes[ends.from]?.height ?? Number.NaN
  const rise = (nodes[ends.to]?.height ?? Number.NaN) - start
  const stops = waters.map((_, index) => {
    if (index === waters.length - 1) return ends.to
    const height = metre(start + (rise * (index + 1)) / waters.length)
    return nodes.push({ height, demand: kilogramPerSecond(0) }) - 1
  })
  return waters.map(
    (fluid, index): LinkSpec => ({
      kind: 'pipe',
      from: stops[index - 1] ?? ends.from,
      to: stops[index] ?? ends.to,
      length: metre((numberIn(row, 'length_km') * 1000) / waters.length),
      innerDiameter: metre(numberIn(row, 'diameter_m')),
      roughness: metre(numberIn(row, 'k_mm') / 1000),
      localLoss: numberIn(row, 'loss_coefficient') / waters.length,
      ...(fluids.length === 1 ? {} : { fluid }),
    }),
  )
}

const areaOf = (row: Row): number => (Math.PI / 4) * numberIn(row, 'diameter_m') ** 2

/** Reads a net of the file; `name` is its path in the file. */
function readNet(net: Row): PublishedNet | UnsolvableNet {
  const file = String(net.file)
  const name = file.replaceAll('_test_networks', '').replace('water_cases/', '').replace('.json', '')
  const constants = isRow(net.fluid) ? net.fluid : {}
  const grids = rowsOf(net.ext_grid)
  const density = findNumber(constants, 'density')
  if (grids.length === 0 || density === undefined)
    return { name, why: 'the file gives it neither a pressure, nor a demand, nor a density' }
  const fluid: Fluid = { densityKgM3: density, viscosityPaS: numberIn(constants, 'viscosity') }
  const junctions = rowsOf(net.junction)
  const place = new Map(junctions.map((row, at) => [row.index, at]))
  const at = (row: Row, column: string): number => place.get(row[column]) ?? -1
  const demand = junctions.map(() => 0)
  for (const [table, sign] of [
    ['sink', 1],
    ['source', -1],
  ] as const)
    for (const row of rowsOf(net[table]))
      demand[at(row, 'junction')] =
        (demand[at(row, 'junction')] ?? 0) + sign * numberIn(row, 'mdot_kg_per_s') * numberIn(row, 'scaling')
  const given = new Map(grids.map((row) => [at(row, 'junction'), numberIn(row, 'p_bar') * 1e5]))
  const nodes = junctions.map((row, node): NodeSpec => {
    const pressure = given.get(node)
    return {
      height: metre(numberIn(row, 'height_m')),
      demand: kilogramPerSecond(demand[node] ?? 0),
      ...(pressure === undefined ? {} : { pressure: pascalGauge(pressure) }),
    }
  })
  const ends = (row: Row) => ({ from: at(row, 'from_junction'), to: at(row, 'to_junction') })
  const column = (quantity: 'p' | 'v') =>
    file.startsWith('stanet') ? `${quantity}_stanet` : `${quantity}_om`
  const pressuresBar = junctions.map((row) => findNumber(row, column('p')))
  const links: LinkSpec[] = []
  const speeds: PublishedSpeed[] = []
  for (const row of rowsOf(net.pipe)) {
    const { from, to } = ends(row)
    const fluids = listFluids(row, fluid, pressuresBar[from] ?? 0, pressuresBar[to] ?? 0)
    const speedMS = findNumber(row, column('v'))
    const perFlow =
      fluids.reduce((sum, { densityKgM3 }) => sum + 1 / densityKgM3, 0) / fluids.length / areaOf(row)
    if (speedMS !== undefined) speeds.push({ link: links.length, perFlow, speedMS })
    links.push(...toLinks(row, ends(row), fluids, nodes))
  }
  for (const row of rowsOf(net.valve)) {
    const loss = numberIn(row, 'loss_coefficient') / (2 * density * areaOf(row) ** 2)
    links.push({
      kind: 'resistor',
      ...ends(row),
      resistance: resistance(row.opened === true ? loss : Number.POSITIVE_INFINITY),
    })
  }
  for (const row of rowsOf(net.pump))
    links.push({ kind: 'pump', ...ends(row), curve: toCurve(row.std_type, density), speed: 1 })
  return { name, spec: { nodes, links, fluid, friction: lawOf(file) }, pressuresBar, speeds }
}

/** Every net of pandapipes-water-cases.json without a compressor, and the nets that cannot be solved. */
export function readPublishedNets(path: string): readonly (PublishedNet | UnsolvableNet)[] {
  const nets: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!isList(nets)) throw new Error('list of nets expected')
  return nets
    .filter(isRow)
    .filter((net) => rowsOf(net.compressor).length === 0)
    .map(readNet)
}
