import { readFileSync } from 'node:fs'
import { type Metre, metre } from '@isotherm/kernel/quantities'
import { expectReported, findReference, WITHOUT_REFERENCE } from '@isotherm/kernel/verification.testkit'
import { describe, expect, it } from 'vitest'
import { layeredLoss, mixedCapacity } from './pipe-heat.ts'
import { createPlugPipes, stepPlugPipe } from './plug-pipes.ts'

const find = (name: string): string | undefined => findReference('hydraulics', 'measured-pipes', name)
const copperFile = find('copper-60m.csv')
/** Runs of the steel pipe and the bound of each, K; the table of an independent script has 0.11 to 0.79 K. */
const STEEL_RUNS = [
  ['150801', 0.65],
  ['151202', 0.9],
  ['151204_1', 0.5],
  ['151204_2', 0.45],
  ['151204_4', 0.8],
  ['160104_2', 0.45],
  ['160118_1', 0.8],
] as const
const steelFiles = STEEL_RUNS.map(([run]) => find(`PipeDataULg${run}.mos`))

const DENSITY = 988
const WATER_PER_M3 = DENSITY * 4187

/** A row of a measurement: time s, flow kg/s, temperatures °C at inlet, outlet and around. */
interface Reading {
  readonly s: number
  readonly kgS: number
  readonly inC: number
  readonly outC: number
  readonly aroundC: number
}

interface MeasuredPipe {
  readonly inner: Metre
  readonly length: Metre
  readonly wallJMK: number
  readonly lossWMK: number
}

/**
 * Heat loss of a pipe in air, W/(m·K): the loss of its insulation, `layersWMK`, in series with the film of air on its surface,
 * `filmWM2K` at `radius`, m.
 */
const behindAir = (layersWMK: number, radius: number, filmWM2K: number): number =>
  1 / (1 / layersWMK + 1 / (2 * Math.PI * radius * filmWM2K))

/** 22 × 1 mm of copper in 13 mm of foam, as published with the data. */
const copper: MeasuredPipe = {
  inner: metre(0.02),
  length: metre(60.33),
  wallJMK: Math.PI * 0.021 * 0.001 * 8960 * 385,
  lossWMK: behindAir(layeredLoss(metre(0.011), [{ outerRadius: 0.024, conductivity: 0.0442 }]), 0.024, 8.4),
}

/** DN50 of steel in 13 mm of foam, as published with the data. */
const steel: MeasuredPipe = {
  inner: metre(0.05248),
  length: metre(39),
  wallJMK: Math.PI * (0.0603 - 0.00391) * 0.00391 * 7800 * 480,
  lossWMK: behindAir(
    layeredLoss(metre(0.0603 / 2), [{ outerRadius: 0.0603 / 2 + 0.013, conductivity: 0.04 }]),
    0.0603 / 2 + 0.013,
    5,
  ),
}

const readRows = (path: string | undefined, separator: string): number[][] =>
  readFileSync(path ?? '', 'utf8')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(separator).map(Number))

/** Columns: s; inlet °C; outlet °C; kg/h; ambient °C; results of other tools, °C. */
const readCopper = (): Reading[] =>
  readRows(copperFile, ';')
    .slice(1)
    .map(([s = 0, inC = 0, outC = 0, kgH = 0, aroundC = 0]) => ({ s, kgS: kgH / 3600, inC, outC, aroundC }))

/** Columns: s, kg/s, outlet wall, outlet water, inlet wall, inlet water, °C; two lines of head. */
const readSteel = (path: string | undefined): Reading[] =>
  readRows(path, ',')
    .slice(2)
    .map(([s = 0, kgS = 0, , outC = 0, , inC = 0]) => ({ s, kgS, inC, outC, aroundC: 18 }))

/** Root mean square of the difference at the outlet, K. `mixedJK`: the part of the heat capacity that is fully mixed instead of moving as plugs, J/K. */
function measure(pipe: MeasuredPipe, readings: readonly Reading[], mixedJK: number): number {
  const perMetre = pipe.wallJMK + (Math.PI / 4) * pipe.inner ** 2 * WATER_PER_M3
  const startC = readings[0]?.outC ?? Number.NaN
  const spec = { capacityJK: perMetre * pipe.length, lossWK: pipe.lossWMK * pipe.length, startC, mixedJK }
  const pipes = createPlugPipes([spec], 400)
  let sum = 0
  let count = 0
  readings.slice(1).forEach((now, index) => {
    const before = readings[index] ?? now
    const steps = Math.ceil(now.s - before.s)
    for (let step = 0; step < steps; step++) {
      // The middle of the step, because its outlet is a mean.
      const part = (step + 0.5) / steps
      const between = (from: number, to: number) => from + part * (to - from)
      const [flow, inlet] = [between(before.kgS, now.kgS), between(before.inC, now.inC)]
      const outC = stepPlugPipe(pipes, 0, flow, inlet, now.aroundC, (now.s - before.s) / steps)
      sum += (outC - between(before.outC, now.outC)) ** 2
      count++
    }
  })
  return Math.sqrt(sum / count)
}

const compare = (name: string, pipe: MeasuredPipe, readings: readonly Reading[], boundK: number) => {
  const speed = (readings[0]?.kgS ?? 0) / (DENSITY * (Math.PI / 4) * pipe.inner ** 2)
  const mixed = (speedMS?: number) => mixedCapacity(pipe.inner, pipe.wallJMK, pipe.length, speedMS)
  return {
    name,
    boundK,
    plugK: measure(pipe, readings, 0),
    typicalK: measure(pipe, readings, mixed()),
    ownK: measure(pipe, readings, mixed(speed)),
  }
}

const isHere = copperFile !== undefined && steelFiles.every((path) => path !== undefined)

describe.skipIf(!isHere)(`measured pipes ${isHere ? '' : WITHOUT_REFERENCE}`, () => {
  it('follows the fast steps of a copper pipe within 0.20 K, and those of a steel pipe better than without film', () => {
    const results = [
      compare('copper, 60 m, 20 mm, 1.65 m/s', copper, readCopper(), 0.2),
      ...STEEL_RUNS.map(([run, boundK], index) => {
        const readings = readSteel(steelFiles[index])
        return compare(`steel, 39 m, DN50, run ${run}, ${readings[0]?.kgS} kg/s`, steel, readings, boundK)
      }),
    ]
    for (const { name, plugK, typicalK, boundK } of results) {
      expect(typicalK, name).toBeLessThan(boundK)
      expect(typicalK, name).toBeLessThan(plugK)
    }
    expectReported({
      id: 'thermal-pipe-measured',
      title: 'Measured pipes',
      about:
        'Root mean square of the outlet’s difference from measurements, K, with the published sizes and nothing calibrated; the mixed store by a typical 0.5 m/s, as the twin has it, and by the speed of the run. Copper: GersHub/DistrictEnergyTools (MIT), where eight tools have 0.23 to 1.54 K. Steel: runs of the University of Liège in ibpsa/modelica-ibpsa (BSD), begun at the temperature of the outlet.',
      head: ['pipe', 'without film', 'store by 0.5 m/s', 'store by its speed', 'bound of 0.5 m/s'],
      rows: results.map(({ name, plugK, typicalK, ownK, boundK }) => [
        name,
        plugK.toFixed(2),
        typicalK.toFixed(3),
        ownK.toFixed(3),
        String(boundK),
      ]),
    })
  })
})
