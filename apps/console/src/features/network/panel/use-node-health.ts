import { getNodeHealth, type NodeHealth } from '@isotherm/contract/endpoints/tree'
import type { NodeNumber, Tree } from '@isotherm/tree/tree'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../../shared/api/client.ts'
import { live } from '../../../shared/live/live.ts'
import { createStructureChanges } from '../session/structure-changes.ts'
import { mergeHealth, toAskedKeys } from './node-health.ts'

/** After the last scroll, ms. */
const ASK_AFTER_MS = 250
const ASK_EVERY_MS = 15_000

const HEALTH_KEY = ['tree', 'health'] as const

const noHealth: ReadonlyMap<string, NodeHealth> = new Map()

/**
 * Health of the nodes in view, asked for in one call once scrolling stops, every 15 s from then on while the
 * page is visible, and when the tree changed: devices move with their nodes. `onShow` is told what is in view.
 */
export function useNodeHealth(tree: Tree) {
  const [keys, setKeys] = useState<readonly string[]>([])
  const [health, setHealth] = useState(noHealth)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const onShow = useCallback(
    (nodes: readonly NodeNumber[]) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setKeys(toAskedKeys(tree, nodes)), ASK_AFTER_MS)
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
    refetchInterval: ASK_EVERY_MS,
    staleTime: ASK_EVERY_MS,
    gcTime: ASK_EVERY_MS,
  })
  useEffect(() => {
    if (data) setHealth((known) => mergeHealth(known, data.datalist))
  }, [data])
  return { health, onShow }
}
