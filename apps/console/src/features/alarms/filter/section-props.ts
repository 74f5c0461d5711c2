import type { NodeKey } from '@isotherm/contract/tree'
import type { AlarmsUrl } from './alarms-url.ts'

/** Props of a section of the page: nodes and address state. */
export interface SectionProps {
  readonly nodes: readonly NodeKey[]
  readonly url: AlarmsUrl
  readonly change: (change: Partial<AlarmsUrl>, options?: { readonly push?: boolean }) => void
}
