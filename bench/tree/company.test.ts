import { expect, test } from 'vitest'
import { listFound, makeCompany, SOUGHT_NAME, spreadHouseholds } from './company.ts'

const company = makeCompany(10_000)

test('a company has as many nodes as asked for, each with an id of its own', () => {
  expect(company).toHaveLength(10_000)
  expect(new Set(company.map(({ id }) => id)).size).toBe(10_000)
})

test('each node stands behind its parent, which is in front of it on the way to the root', () => {
  const chain: string[] = []
  const levels = new Map(company.map(({ id, level }) => [id, level]))
  for (const { id, parent, level } of company) {
    while (chain.length > 0 && chain.at(-1) !== parent) chain.pop()
    expect(chain.at(-1) ?? '').toBe(parent)
    expect(level).toBeGreaterThan(levels.get(parent) ?? -1)
    chain.push(id)
  }
})

test('the first chain reaches a household, where the operations of the bench are looked at', () => {
  expect(company.slice(0, 8).map(({ level }) => level)).toEqual([0, 1, 2, 5, 6, 7, 8, 8])
})

test('the sought name is borne by some households and not by the first ones', () => {
  const found = company.filter(({ label }) => label.includes(SOUGHT_NAME))
  expect(found.length).toBeGreaterThan(300)
  expect(found.length).toBeLessThan(1_000)
  expect(company[6]?.label).not.toContain(SOUGHT_NAME)
})

test('a search leaves matches and what is above them', () => {
  const found = listFound(company, SOUGHT_NAME)
  expect(found.slice(0, 6)).toEqual(company.slice(0, 6).map(({ label }) => label))
  expect(found[6]).toContain(SOUGHT_NAME)
})

test('households are spread from the first to the end', () => {
  const ids = spreadHouseholds(company, 1_000)
  expect(new Set(ids).size).toBe(1_000)
  expect(ids[0]).toBe(company[6]?.id)
  expect(ids).not.toContain(company[7]?.id)
})
