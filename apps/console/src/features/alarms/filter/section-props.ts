import type { NodeKey } from '@isotherm/contract/tree'
import type { AlarmsUrl } from './alarms-url.ts'

/** What a part of the page is given: where, and what its address says. */
export interface SectionProps {
  readonly nodes: readonly NodeKey[]
  readonly url: AlarmsUrl
  readonly change: (change: Partial<AlarmsUrl>, options?: { readonly push?: boolean }) => void
}
