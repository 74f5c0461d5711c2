import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { Draft, DraftPath } from './draft.ts'
import type { DraftFault } from './find-draft-faults.ts'

/** The document that is being edited, as its parts use it. */
export interface Editor {
  readonly draft: Draft
  /** Profiles that a device may name: shipped, of the registry, and own ones of the document. */
  readonly profiles: readonly DeviceProfile[]
  /** Whether a secret is stored for a value. A line of the draft is the stored line with the same id. */
  readonly isSecretStored: (path: DraftPath) => boolean
  readonly change: (path: DraftPath, value: unknown) => void
  /** The fault to show at a value; undefined before an attempt to save, unless the value was changed. */
  readonly faultAt: (path: DraftPath) => DraftFault | undefined
  /** Number of faults at or below a path, shown or not. */
  readonly countAt: (path: DraftPath) => number
}
