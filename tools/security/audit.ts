/** Known weaknesses of the packages that the product runs, by the registry. A release has none that nobody has looked at. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

/** A package with a known weakness that is high or critical. */
export interface WeakPackage {
  readonly name: string
  readonly severity: 'high' | 'critical'
}

export type AuditOutcome =
  | { readonly kind: 'known'; readonly weak: readonly WeakPackage[] }
  /** The registry gave no answer, or has no such service. */
  | { readonly kind: 'unknown'; readonly cause: string }

const report = z.object({
  vulnerabilities: z.record(z.string(), z.object({ severity: z.string() })),
})

/** Asks the registry, by default that of npm's configuration, about the lock file of `folder`. */
export async function auditPackages(folder: string, registry?: string): Promise<AuditOutcome> {
  const words = [
    'audit',
    '--omit=dev',
    '--json',
    ...(registry === undefined ? [] : [`--registry=${registry}`]),
  ]
  const npm = spawn('npm', words, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  const output = await text(npm.stdout)
  try {
    const { vulnerabilities } = report.parse(JSON.parse(output))
    const weak = Object.entries(vulnerabilities).flatMap(([name, { severity }]): WeakPackage[] =>
      severity === 'high' || severity === 'critical' ? [{ name, severity }] : [],
    )
    return { kind: 'known', weak }
  } catch {
    return { kind: 'unknown', cause: output.trim().slice(0, 500) || 'no answer' }
  }
}

export interface AuditDecisions {
  /** Packages whose weakness cannot be reached in this product, or whose time to repair has not ended. */
  readonly accepted: readonly string[]
  /** A release without an audit, where the registry has none. */
  readonly isUnaudited: boolean
}

/** Why no release may be made; undefined if one may. */
export function findAuditFault(
  outcome: AuditOutcome,
  { accepted, isUnaudited }: AuditDecisions,
): string | undefined {
  if (outcome.kind === 'unknown')
    return isUnaudited
      ? undefined
      : `the registry says nothing about known weaknesses (${outcome.cause}): audit elsewhere, then --unaudited`
  const open = outcome.weak.filter(({ name }) => !accepted.includes(name))
  if (open.length === 0) return undefined
  const list = open.map(({ name, severity }) => `${name} (${severity})`).join(', ')
  return `known weaknesses: ${list}. Update, or --accept NAME within the times of docs/reference/security-inventory.md`
}
