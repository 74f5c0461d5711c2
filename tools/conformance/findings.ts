import { type Rule, rules } from './rules.ts'

/** What a run has found out about a device. */
export interface Findings {
  /** Notes the result of one check of a rule; `problem` describes the fault. */
  check(rule: Rule, isRight: boolean, problem: string): void
  /** Rules that were broken, with what happened; the first few cases of each. */
  readonly broken: ReadonlyMap<Rule, readonly string[]>
  /** Rules that were checked and never broken. */
  listRight(): readonly Rule[]
  listUnchecked(): readonly Rule[]
}

/** Cases of a broken rule that are reported. */
const MAX_CASES = 3

export function createFindings(): Findings {
  const checked = new Set<Rule>()
  const broken = new Map<Rule, string[]>()
  const all = Object.keys(rules).filter((name): name is Rule => Object.hasOwn(rules, name))
  return {
    broken,
    check(rule, isRight, problem) {
      checked.add(rule)
      if (isRight) return
      const cases = broken.get(rule) ?? []
      broken.set(rule, cases)
      if (cases.length < MAX_CASES && !cases.includes(problem)) cases.push(problem)
    },
    listRight: () => all.filter((rule) => checked.has(rule) && !broken.has(rule)),
    listUnchecked: () => all.filter((rule) => !checked.has(rule)),
  }
}

/** The report for people. */
export function toReport({ broken, listRight, listUnchecked }: Findings): string {
  const lines = [...broken].flatMap(([rule, cases]) => [
    `WRONG  ${rule}: ${rules[rule]}`,
    ...cases.map((text) => `         ${text}`),
  ])
  const unchecked = listUnchecked()
  return [
    ...listRight().map((rule) => `ok     ${rule}`),
    ...unchecked.map((rule) => `-      ${rule}: not checked`),
    ...lines,
    broken.size === 0 ? 'The device is right in all that was checked.' : `${broken.size} rules are broken.`,
  ].join('\n')
}
