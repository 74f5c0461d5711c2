import { expect, test } from 'vitest'
import { generateCompany, listFound, SEARCHED_NAME, spreadHouseholds } from './company.ts'

const company = generateCompany(10_000)

test('a company has the given number of nodes with unique ids', () => {
  expect(company).toHaveLength(10_000)
  expect(new Set(company.map(({ id }) => id)).size).toBe(10_000)
})

test('each node is after its parent in the list', () => {
  const chain: string[] = []
  const levels = new Map(company.map(({ id, level }) => [id, level]))
  for (const { id, parent, level } of company) {
    while (chain.length > 0 && chain.at(-1) !== parent) chain.pop()
    expect(chain.at(-1) ?? '').toBe(parent)
    expect(level).toBeGreaterThan(levels.get(parent) ?? -1)
    chain.push(id)
  }
})

test('the first chain ends at a household, which the operations of the bench use', () => {
  expect(company.slice(0, 8).map(({ level }) => level)).toEqual([0, 1, 2, 5, 6, 7, 8, 8])
})

test('some households have the search name, but not the first ones', () => {
  const found = company.filter(({ label }) => label.includes(SEARCHED_NAME))
  expect(found.length).toBeGreaterThan(300)
  expect(found.length).toBeLessThan(1_000)
  expect(company[6]?.label).not.toContain(SEARCHED_NAME)
})

test('a search shows matches and their ancestors', () => {
  const found = listFound(company, SEARCHED_NAME)
  expect(found.slice(0, 6)).toEqual(company.slice(0, 6).map(({ label }) => label))
  expect(found[6]).toContain(SEARCHED_NAME)
})

test('households are spread from the first to the end', () => {
  const ids = spreadHouseholds(company, 1_000)
  expect(new Set(ids).size).toBe(1_000)
  expect(ids[0]).toBe(company[6]?.id)
  expect(ids).not.toContain(company[7]?.id)
})
