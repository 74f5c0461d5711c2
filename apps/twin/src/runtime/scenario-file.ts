import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Language } from '@isotherm/contract/locales/error-text'
import { registryFile } from '@isotherm/contract/network/registry-file'
import type { ZodError } from 'zod'
import { createNamed, createScenario, type ScenarioOutcome } from '../scenarios/create-scenario.ts'
import { isScenarioName } from '../scenarios/named-recipes.ts'
import { recipe } from '../scenarios/recipe.ts'

const unusable = (path: string, problem: string): ScenarioOutcome => ({
  kind: 'unusable',
  problems: [`${path}: ${problem}`],
})

const describeIssues = ({ issues }: ZodError): string =>
  issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ')

/** Content of a JSON file, or the reason of the failure. */
function readJson(
  path: string,
): { readonly kind: 'read'; readonly value: unknown } | { readonly kind: 'unread'; readonly why: string } {
  try {
    return { kind: 'read', value: JSON.parse(readFileSync(path, 'utf8')) }
  } catch (error) {
    return { kind: 'unread', why: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * A named scenario with names in a language, or one from a scenario file (scenarios/recipe.ts), which states its own, and its optional
 * registry file.
 */
export function loadScenario(nameOrPath: string, language: Language = 'zh'): ScenarioOutcome {
  if (isScenarioName(nameOrPath)) return { kind: 'scenario', scenario: createNamed(nameOrPath, language) }
  const file = readJson(nameOrPath)
  if (file.kind === 'unread') return unusable(nameOrPath, `no scenario has this name, and ${file.why}`)
  const parsed = recipe.safeParse(file.value)
  if (!parsed.success) return unusable(nameOrPath, describeIssues(parsed.error))
  const { company } = parsed.data
  if (company.kind !== 'registry') return createScenario(parsed.data)
  const path = resolve(dirname(nameOrPath), company.file)
  const structure = readJson(path)
  if (structure.kind === 'unread') return unusable(path, structure.why)
  const registry = registryFile.safeParse(structure.value)
  if (!registry.success) return unusable(path, describeIssues(registry.error))
  return createScenario(parsed.data, registry.data)
}
