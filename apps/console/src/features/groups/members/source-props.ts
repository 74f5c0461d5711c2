import type { Device } from '@isotherm/contract/devices'

/** What a source of new members gets. */
export interface SourceProps {
  readonly members: ReadonlySet<number>
  readonly onAdd: (devices: readonly Device[]) => void
}
