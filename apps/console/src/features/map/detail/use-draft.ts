import type { Place } from '@isotherm/contract/endpoints/network/zone-gis'
import type { NodeKey } from '@isotherm/contract/tree'
import { useCallback, useMemo, useState } from 'react'
import type { LngLat } from '../view/mercator.ts'

/** A new position for a node, not saved yet. */
export interface Draft {
  readonly node: NodeKey
  readonly label: string
  /** Version of the saved position; undefined without one. */
  readonly version: number | undefined
  readonly outline: Place['outline']
  /** Chosen position, WGS-84; undefined until it is typed or clicked. */
  readonly at: LngLat | undefined
}

export interface Drafting {
  readonly draft: Draft | undefined
  readonly begin: (draft: Draft) => void
  /** Sets the position, WGS-84; does nothing without a draft. */
  readonly move: (at: LngLat | undefined) => void
  readonly end: () => void
}

/**
 * The draft position, changed by the form and by the marker on the map. It exists while the details of its node are open;
 * any navigation ends it.
 */
export function useDraft(shown: NodeKey | undefined): Drafting {
  const [last, setDraft] = useState<Draft>()
  const draft = last?.node === shown ? last : undefined
  const move = useCallback((at: LngLat | undefined) => setDraft((known) => known && { ...known, at }), [])
  const end = useCallback(() => setDraft(undefined), [])
  return useMemo(() => ({ draft, begin: setDraft, move, end }), [draft, move, end])
}
