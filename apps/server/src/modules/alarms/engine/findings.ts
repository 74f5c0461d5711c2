import type { Clock } from '../../../platform/clock.ts'
import type { AlarmEngine, FindingKey, ObservedFinding } from './engine.ts'

export interface FindingsNeeds {
  readonly engine: Pick<AlarmEngine, 'observeFindings' | 'listFound'>
  /** What readings show at present, by whichever replica it was noted. */
  readonly list: () => Promise<readonly ObservedFinding[]>
  readonly clock: Clock
}

/** Tells the engine what readings show: at once what was noted here, and at each review what was noted elsewhere. */
export interface Findings {
  observe(findings: readonly ObservedFinding[]): void
  /** Takes in what is shown at present, and what no longer is. */
  review(): Promise<void>
}

const toKey = ({ deviceId, rule }: FindingKey): string => `${deviceId} ${rule}`

export function createFindings({ engine, list, clock }: FindingsNeeds): Findings {
  /** What was told while the list was read, which may be older. */
  let told = new Set<string>()
  return {
    observe(findings) {
      for (const finding of findings) told.add(toKey(finding))
      engine.observeFindings(findings, clock.now())
    },
    async review() {
      told = new Set()
      const open = await list()
      const now = clock.now()
      const isOpen = new Set(open.map(toKey))
      const over = [...engine.listFound()].flatMap(({ deviceId, rule }) =>
        isOpen.has(toKey({ deviceId, rule })) ? [] : [{ deviceId, rule, since: now, until: now }],
      )
      const news = [...over, ...open].filter((finding) => !told.has(toKey(finding)))
      engine.observeFindings(news, now)
    },
  }
}
