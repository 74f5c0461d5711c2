import { getNodeHealth, type NodeHealth } from '@isotherm/contract/endpoints/tree'
import { NO_NODE, type NodeNumber, type Tree } from '@isotherm/tree/tree'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { toServerKey } from './node-keys.ts'

/** Most nodes of one question, as the contract has it. */
const MOST_ASKED = 500
/** After the last scroll, ms. */
const ASK_AFTER_MS = 250
const ASK_EVERY_MS = 15_000
/** Most answers kept for rows that come into view again. */
const MOST_KEPT = 5_000

const noHealth: ReadonlyMap<string, NodeHealth> = new Map()

/** What was known with what is known now; the oldest answers leave. */
export function mergeHealth(
  known: ReadonlyMap<string, NodeHealth>,
  answers: readonly NodeHealth[],
): ReadonlyMap<string, NodeHealth> {
  const merged = new Map(known)
  for (const answer of answers) {
    merged.delete(answer.node)
    merged.set(answer.node, answer)
  }
  for (const key of merged.keys()) {
    if (merged.size <= MOST_KEPT) break
    merged.delete(key)
  }
  return merged
}

/** Keys to ask for: of the nodes on show, as the server knows them, once each. */
export const toAskedKeys = (tree: Tree, nodes: readonly NodeNumber[]): readonly string[] =>
  [...new Set(nodes.filter((node) => node !== NO_NODE).map((node) => toServerKey(tree.view(node).key)))]
    .filter((key) => key !== '')
    .slice(0, MOST_ASKED)
    .sort()

/**
 * Health of the nodes in view, asked for in one call once scrolling stops and every 15 s from then on while
 * the page is visible. `onShow` is told what is in view.
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
  const { data } = useQuery({
    queryKey: ['tree', 'health', keys],
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
