import { readFileSync } from 'node:fs'
import { celsius, kilogramPerSecond, metre } from '@isotherm/kernel/quantities'
import { expectReported, findReference, WITHOUT_REFERENCE } from '@isotherm/kernel/verification.testkit'
import { describe, expect, it } from 'vitest'
import { mixTemperature, outletTemperature } from './pipe-heat.ts'

const BOUND_K = 0.02
const ZERO_C_K = 273.15

const find = (name: string): string | undefined => findReference('hydraulics', `Temperature_${name}_an.csv`)
const onePipe = find('one_pipe')
const tee = find('tee_2ab_1zu')
const loop = find('masche_1load')

/** Columns: alpha W/(m²·K), d m, mdot kg/s, cp J/(kg·K), Text K, Tinit K, l m, T K. */
function readLines(path: string | undefined): (readonly string[])[] {
  const text = readFileSync(path ?? '', 'utf8')
  const lines = text.trim().split(/\r?\n/)
  return lines.map((line) => line.split(';'))
}

const BESIDE = 9

const cell = (row: readonly string[] | undefined, column: number): number => Number(row?.[column])

/** K at the end of `lengthM` of the file's pipe, entered at `inletK` with `flowKgS`. */
function cool(row: readonly string[] | undefined, inletK: number, lengthM: number, flowKgS: number): number {
  const out = outletTemperature(
    celsius(inletK - ZERO_C_K),
    celsius(cell(row, 4) - ZERO_C_K),
    cell(row, 0) * Math.PI * cell(row, 1),
    metre(lengthM),
    kilogramPerSecond(flowKgS),
    cell(row, 3),
  )
  return out + ZERO_C_K
}

interface Compared {
  readonly where: string
  readonly theirs: number
  readonly ours: number
}

function compareOnePipe(): Compared[] {
  return readLines(onePipe)
    .slice(1)
    .map((row) => ({
      where: `one pipe, after ${cell(row, 6)} m`,
      theirs: cell(row, 7),
      ours: cool(row, cell(row, 5), cell(row, 6), cell(row, 2)),
    }))
}

/** 2 kg/s to the tee, 1 kg/s on in each branch. */
function compareTee(): Compared[] {
  const [, , trunk, branch] = readLines(tee)
  const atTee = cool(trunk, cell(trunk, 5), cell(trunk, 6), cell(trunk, 2))
  const atEnd = cool(branch, atTee, cell(branch, 6), cell(branch, 2))
  return [
    { where: 'tee, where it branches', theirs: cell(trunk, 7), ours: atTee },
    { where: 'tee, end of a branch', theirs: cell(branch, 7), ours: atEnd },
  ]
}

/** 1 kg/s to node 1, then 0.606 kg/s straight to node 2 and 0.394 kg/s there by node 3, where both mix. */
function compareLoop(): Compared[] {
  const [head, start, trunk, mixed, toNode3] = readLines(loop)
  // The data of the pipes into node 2 are in later columns of the same rows; the first one is even in the header row.
  const direct = head?.slice(BESIDE)
  const around = start?.slice(BESIDE)
  const node1 = cool(trunk, cell(trunk, 5), cell(trunk, 6), cell(trunk, 2))
  const node3 = cool(toNode3, node1, cell(toNode3, 6), cell(toNode3, 2))
  const ends = [direct, around].map((row, index) => ({
    theirs: cell(row, 7),
    ours: cool(row, index === 0 ? node1 : node3, cell(row, 6), cell(row, 2)),
    flow: cell(row, 2),
  }))
  const ours = mixTemperature(
    ends.map((end) => end.flow),
    ends.map((end) => end.ours),
    Number.NaN,
  )
  return [
    { where: 'loop, node 1', theirs: cell(trunk, 7), ours: node1 },
    { where: 'loop, node 3', theirs: cell(toNode3, 7), ours: node3 },
    ...ends.map((end, index) => ({ where: `loop, node 2 from node ${index === 0 ? 1 : 3}`, ...end })),
    { where: 'loop, mixed at node 2', theirs: cell(mixed, 7), ours },
  ]
}

describe.skipIf(onePipe === undefined || tee === undefined || loop === undefined)(
  `cooling along pipes ${WITHOUT_REFERENCE}`,
  () => {
    it('agrees with the analytic cases of one pipe, tees and a loop within 0.02 K', () => {
      const compared = [...compareOnePipe(), ...compareTee(), ...compareLoop()]
      expect(compared.length).toBe(14)
      for (const { where, theirs, ours } of compared)
        expect(Math.abs(ours - theirs), where).toBeLessThan(BOUND_K)
      expectReported({
        id: 'thermal-cooling',
        title: 'Cooling along pipes: analytic cases',
        about:
          'Water of 330 or 350 K in pipes of 75 mm, 5 W/(m²·K), surroundings of 293 K: published analytic values (e2nIEE/pandapipes, BSD-3-Clause) beside `outletTemperature` and `mixTemperature`, each path counted from its first inlet. Bound 0.02 K.',
        head: ['where', 'published, K', 'here, K', 'difference, K'],
        rows: compared.map(({ where, theirs, ours }) => [
          where,
          theirs.toFixed(4),
          ours.toFixed(4),
          Math.abs(ours - theirs).toFixed(4),
        ]),
      })
    })
  },
)
