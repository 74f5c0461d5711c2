import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/**
 * For tests that compare the physics with published cases. The cases are outside this repository, in the folder
 * ISOTHERM_REFERENCE. Such a test also compares its results with its section of docs/reference/verification.md; with
 * ISOTHERM_WRITE_VERIFICATION=1 it writes that section instead.
 */
const REPORT = join(import.meta.dirname, '../../../docs/reference/verification.md')
const HOW = 'ISOTHERM_WRITE_VERIFICATION=1 npm run test:unit -- --no-file-parallelism reference.test'

/** States in the title of a suite why it did not run. */
export const WITHOUT_REFERENCE = '(skipped unless ISOTHERM_REFERENCE names the folder of published cases)'

/** Path of a published file; undefined if it is not available. */
export function findReference(...path: readonly string[]): string | undefined {
  const root = process.env.ISOTHERM_REFERENCE
  if (!root) return undefined
  const found = join(root, ...path)
  return existsSync(found) ? found : undefined
}

export interface VerificationSection {
  /** Permanent id of the section, which also sorts the sections, for example `hydraulics-epanet`. */
  readonly id: string
  readonly title: string
  /** What is compared with what, its source and licence. */
  readonly about: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const start = (id: string): string => `<!-- ${id} -->\n`
const END = '<!-- end -->\n'
const intro = `<!-- Written by the tests that measure what it says. Do not edit. -->

# Verification

The physics beside published cases and other solvers. Every figure is measured by a test, which fails when the figure leaves
its bound and when this page does not say what was measured. The published cases are not part of this repository: the tests
run when \`ISOTHERM_REFERENCE\` names their folder. Written by \`${HOW}\`.
`

function toText({ id, title, about, head, rows }: VerificationSection): string {
  const lines = [head, head.map(() => '---'), ...rows].map(
    (row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`,
  )
  return `${start(id)}## ${title}\n\n${about}\n\n${lines.join('')}${END}`
}

/** The sections of a report by id. */
function readSections(report: string): Map<string, string> {
  return new Map(
    [...report.matchAll(/^<!-- ([\w-]+) -->\n[\s\S]*?<!-- end -->\n/gm)].map(([text, id = '']) => [id, text]),
  )
}

/** Compares the report's section with the results, or writes it if ISOTHERM_WRITE_VERIFICATION is set. */
export function expectReported(section: VerificationSection): void {
  const sections = readSections(existsSync(REPORT) ? readFileSync(REPORT, 'utf8') : '')
  const text = toText(section)
  if (process.env.ISOTHERM_WRITE_VERIFICATION) {
    const ordered = [...sections.set(section.id, text)].toSorted(([a], [b]) => (a < b ? -1 : 1))
    writeFileSync(REPORT, [intro, ...ordered.map(([, part]) => part)].join('\n'))
    return
  }
  expect(sections.get(section.id), `docs/reference/verification.md is written by ${HOW}`).toBe(text)
}
