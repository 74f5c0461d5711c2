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

/** Serious accessibility violations of the page or of a part of it, as text. */
export async function findAccessibilityViolations(page: Page, part?: string): Promise<readonly string[]> {
  // The page's Content-Security-Policy stays active and forbids a script tag.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource)
  const where = part === undefined ? 'document' : JSON.stringify(part)
  const result = axeResult.parse(await page.evaluate(`axe.run(${where}, { resultTypes: ['violations'] })`))
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => `  ${html}`).join('\n')}`)
}
