import { expect, it } from 'vitest'
import { createPlants, runCase } from './run-case.ts'

/** The figures of a run that depend on every part: plant, instruments, plan, judgement. */
const figuresOf = async () => {
  const { runs, alone, industry } = await runCase(
    { name: 'test', faults: { blocked: 0.05 }, onlyMetered: true },
    9,
    createPlants(),
  )
  return {
    alone,
    industry,
    runs: runs.map(({ target, trim, end, moves, colder }) => ({ target, trim, end, moves, colder })),
  }
}

it('gives the same result for the same seed', { timeout: 120_000 }, async () => {
  const first = await figuresOf()
  expect(first.runs.length).toBeGreaterThan(3)
  expect(await figuresOf()).toEqual(first)
})
