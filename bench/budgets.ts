import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Limit and target of a figure. */
export interface Budget {
  readonly better: 'less' | 'more'
  readonly required: number
  readonly aim: number
  /** Published figures of other products, as text. */
  readonly peer?: string
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function toBudget(value: unknown, name: string): Budget {
  if (!isRecord(value)) throw new Error(`The budget of ${name} is not an object`)
  const { better, required, aim, peer } = value
  if ((better !== 'less' && better !== 'more') || typeof required !== 'number' || typeof aim !== 'number') {
    throw new Error(`The budget of ${name} lacks better, required or aim`)
  }
  return { better, required, aim, ...(typeof peer === 'string' ? { peer } : {}) }
}

/** The file named by ISOTHERM_BUDGETS, or budgets.json in the folder `shared` beside the repository. */
const toFile = (): string =>
  process.env.ISOTHERM_BUDGETS ?? join(import.meta.dirname, '../../shared/budgets.json')

/** Budgets of one bench by figure; empty when there is no file of budgets on this machine. */
export function readBudgets(bench: string, file = toFile()): ReadonlyMap<string, Budget> {
  if (!existsSync(file)) return new Map()
  const all: unknown = JSON.parse(readFileSync(file, 'utf8'))
  const group = isRecord(all) ? all[bench] : undefined
  if (!isRecord(group)) return new Map()
  return new Map(Object.entries(group).map(([name, value]) => [name, toBudget(value, `${bench}.${name}`)]))
}

export type Verdict = 'meets aim' | 'meets required' | 'MISSES' | 'no budget'

/** Compares a measured value with its budget. */
export function judge(value: number, budget: Budget | undefined): Verdict {
  if (budget === undefined) return 'no budget'
  const reaches = (bound: number): boolean => (budget.better === 'less' ? value <= bound : value >= bound)
  if (reaches(budget.aim)) return 'meets aim'
  return reaches(budget.required) ? 'meets required' : 'MISSES'
}
