import type { Clock } from '../../../platform/clock.ts'
import type { AlarmEngine, FindingKey, ObservedFinding } from './engine.ts'

export interface FindingsNeeds {
  readonly engine: Pick<AlarmEngine, 'observeFindings' | 'listFound'>
  /** Open findings, from all replicas. */
  readonly list: () => Promise<readonly ObservedFinding[]>
  readonly clock: Clock
}

/** Passes findings to the engine: findings of this replica at once, findings of other replicas at each review. */
export interface Findings {
  observe(findings: readonly ObservedFinding[]): void
  /** Compares the open findings with the engine's and passes the differences. */
  review(): Promise<void>
}

const toKey = ({ deviceId, rule }: FindingKey): string => `${deviceId} ${rule}`

export function createFindings({ engine, list, clock }: FindingsNeeds): Findings {
  /** Findings that arrived while the list was read; they are newer than the list. */
  let recent = new Set<string>()
  return {
    observe(findings) {
      for (const finding of findings) recent.add(toKey(finding))
      engine.observeFindings(findings, clock.now())
    },
    async review() {
      recent = new Set()
      const open = await list()
      const now = clock.now()
      const isOpen = new Set(open.map(toKey))
      const over = [...engine.listFound()].flatMap(({ deviceId, rule }) =>
        isOpen.has(toKey({ deviceId, rule })) ? [] : [{ deviceId, rule, since: now, until: now }],
      )
      const changes = [...over, ...open].filter((finding) => !recent.has(toKey(finding)))
      engine.observeFindings(changes, now)
    },
  }
}
