import type { Place } from '@isotherm/contract/endpoints/zone-gis'
import type { NodeKey } from '@isotherm/contract/tree'
import { useCallback, useMemo, useState } from 'react'
import type { LngLat } from '../view/mercator.ts'

/** A position that is being chosen for a node. */
export interface Draft {
  readonly node: NodeKey
  readonly label: string
  /** Of the place it has so far; absent without one. */
  readonly version: number | undefined
  readonly outline: Place['outline']
  /** WGS-84; absent until one is typed or pointed at. */
  readonly at: LngLat | undefined
}

export interface Drafting {
  readonly draft: Draft | undefined
  readonly begin: (draft: Draft) => void
  /** Puts it elsewhere, WGS-84; nothing happens while nothing is being placed. */
  readonly move: (at: LngLat | undefined) => void
  readonly end: () => void
}

/**
 * The form writes it, and so does the marker on the map. It counts while the details of its node are open: who goes
 * elsewhere, by the back button say, has left the form.
 */
export function useDraft(shown: NodeKey | undefined): Drafting {
  const [kept, setDraft] = useState<Draft>()
  const draft = kept?.node === shown ? kept : undefined
  const move = useCallback((at: LngLat | undefined) => setDraft((known) => known && { ...known, at }), [])
  const end = useCallback(() => setDraft(undefined), [])
  return useMemo(() => ({ draft, begin: setDraft, move, end }), [draft, move, end])
}
