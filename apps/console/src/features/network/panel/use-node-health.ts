import { getNodeHealth, type NodeHealth } from '@isotherm/contract/endpoints/network/tree'
import type { NodeNumber, Tree } from '@isotherm/tree/tree'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { live } from '../../../shared/live/live.ts'
import { createStructureChanges } from '../session/structure-changes.ts'
import { mergeHealth, toServerKeys } from './node-health.ts'

/** Delay of the request after the last scroll, ms. */
const FETCH_AFTER_MS = 250
const POLL_MS = 15_000

const HEALTH_KEY = ['tree', 'health'] as const

const noHealth: ReadonlyMap<string, NodeHealth> = new Map()

/**
 * Health of the visible nodes: fetched in one call when scrolling stops, then every 15 s while the page is visible, and
 * when the tree changes, because devices move with their nodes. Call `onShow` with the visible nodes.
 */
export function useNodeHealth(tree: Tree) {
  const [keys, setKeys] = useState<readonly string[]>([])
  const [health, setHealth] = useState(noHealth)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const onShow = useCallback(
    (nodes: readonly NodeNumber[]) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setKeys(toServerKeys(tree, nodes)), FETCH_AFTER_MS)
    },
    [tree],
  )
  useEffect(() => () => clearTimeout(timer.current), [])
  const queries = useQueryClient()
  useEffect(() => {
    const changes = createStructureChanges(() => queries.invalidateQueries({ queryKey: HEALTH_KEY }))
    const leave = live.onStructure(changes.note)
    return () => {
      leave()
      changes.close()
    }
  }, [queries])
  const { data } = useQuery({
    queryKey: [...HEALTH_KEY, keys],
    queryFn: ({ signal }) => call(getNodeHealth, { nodes: [...keys] }, { signal, quiet: true }),
    enabled: keys.length > 0,
    refetchInterval: POLL_MS,
    staleTime: POLL_MS,
    gcTime: POLL_MS,
  })
  useEffect(() => {
    if (data) setHealth((cached) => mergeHealth(cached, data.datalist))
  }, [data])
  return { health, onShow }
}
