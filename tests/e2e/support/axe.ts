import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { z } from 'zod'

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const axeResult = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      impact: z.string().nullable(),
      help: z.string(),
      nodes: z.array(z.object({ html: z.string(), failureSummary: z.string().optional() })),
    }),
  ),
})

/** Impacts that fail a test. */
const SERIOUS = ['serious', 'critical']

/**
 * Options of axe: without the rules whose violations have a lower impact. An impact of a rule replaces those of its checks, so these
 * rules find nothing that fails a test.
 */
const OPTIONS = `{
  resultTypes: ['violations'],
  rules: Object.fromEntries(axe._audit.rules
    .filter(({ impact }) => impact && !${JSON.stringify(SERIOUS)}.includes(impact))
    .map(({ id }) => [id, { enabled: false }])),
}`

/** Serious accessibility violations of the page or of a part of it, as text. */
export async function findAccessibilityViolations(page: Page, part?: string): Promise<readonly string[]> {
  // The page's Content-Security-Policy stays active and forbids a script tag.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource)
  const where = part === undefined ? 'document' : JSON.stringify(part)
  const result = axeResult.parse(await page.evaluate(`axe.run(${where}, ${OPTIONS})`))
  return result.violations
    .filter(({ impact }) => impact !== null && SERIOUS.includes(impact))
    .map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => `  ${html}`).join('\n')}`)
}
