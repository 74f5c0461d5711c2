import { expect, test } from 'vitest'
import { createSampleLoop } from '../loop/sample-loop.testkit.ts'
import { invertDefinite, multiply } from '../numeric/dense-matrix.ts'
import { estimateMains } from './mains-estimate.ts'

const of = (...values: number[]): Float64Array => Float64Array.from(values)
const { network } = createSampleLoop(2)
const prior = { factorSigma: 0.4, headSigmaPa: 1e-3 }
// A trunk (0) and a street of two pipes (1, 2); consumers at nodes 1 and 2.
const drops = [of(1000), of(500), of(500)]

test('a definite matrix times its inverse is the unit matrix', () => {
  const matrix = of(4, 1, 0.5, 1, 3, 0.2, 0.5, 0.2, 2)
  expect([...multiply(invertDefinite(matrix, 3), multiply(matrix, of(1, 2, 3)))]).toEqual([
    expect.closeTo(1, 12),
    expect.closeTo(2, 12),
    expect.closeTo(3, 12),
  ])
})

test('exact evidence at two nodes is shared among the upstream pipes by their variances', () => {
  // The path to node 1 takes 1,800 Pa instead of 1,500: 300 = 1000·a0 + 500·a1, shared as 1000² : 500².
  const sharp = (node: number, mean: number) => ({ node, mean: of(mean), precision: of(1e6) })
  const { factor } = estimateMains(network, drops, [sharp(1, 1800), sharp(2, 2400)], prior)
  expect(factor[0]).toBeCloseTo(1.24, 4)
  expect(factor[1]).toBeCloseTo(1.12, 4)
  expect(factor[2]).toBeCloseTo(1.2, 4)
})

test('without evidence pipes stay as recorded, with their prior widths', () => {
  const { factor, sigma } = estimateMains(network, drops, [], prior)
  expect([...factor]).toEqual([1, 1, 1])
  for (const width of sigma) expect(width).toBeCloseTo(0.4, 12)
})

test('evidence downstream of a pipe narrows its estimate, evidence elsewhere does not', () => {
  const { sigma } = estimateMains(network, drops, [{ node: 1, mean: of(1500), precision: of(1e-4) }], prior)
  expect(sigma[0]).toBeLessThan(0.3)
  expect(sigma[2]).toBeCloseTo(0.4, 9)
})
