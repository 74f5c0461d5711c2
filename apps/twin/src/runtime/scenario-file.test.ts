import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { namedRecipes } from '../scenarios/named-recipes.ts'
import { toRegistryFile } from '../scenarios/registry/registry.ts'
import { createSmall } from '../scenarios/small-scenario.testkit.ts'
import { loadScenario } from './scenario-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'isotherm-scenario-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

it('finds a scenario by its name', () => {
  expect(loadScenario('demo')).toMatchObject({ kind: 'scenario', scenario: { name: 'demo' } })
})

it('reads a scenario file and the registry file beside it', () => {
  write('registry.json', toRegistryFile(createSmall()))
  const path = write('mine.json', {
    ...namedRecipes.demo,
    name: 'mine',
    company: { kind: 'registry', file: 'registry.json' },
    weather: { kind: 'hourly', startDay: 0, outdoorC: Array.from({ length: 24 }, () => -7) },
    faults: [],
  })
  const outcome = loadScenario(path)
  if (outcome.kind === 'unusable') throw new Error(outcome.problems.join('; '))
  expect(outcome.scenario.stations).toHaveLength(2)
  expect(outcome.scenario.weather).toMatchObject({ kind: 'hourly', snaps: [] })
})

it('reports the error: unknown name or file, invalid JSON, invalid recipe, missing registry', () => {
  const problemOf = (name: string): string => {
    const outcome = loadScenario(name)
    return outcome.kind === 'unusable' ? outcome.problems.join('; ') : 'none'
  }
  expect(problemOf('nowhere')).toContain('no scenario has this name')
  expect(problemOf(write('broken.json', '{'))).toContain('JSON')
  expect(problemOf(write('empty.json', {}))).toContain('seed')
  const lost = { ...namedRecipes.demo, company: { kind: 'registry', file: 'lost.json' } }
  expect(problemOf(write('lost-registry.json', lost))).toContain('lost.json')
})
