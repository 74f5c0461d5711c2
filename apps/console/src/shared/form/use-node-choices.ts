import { searchTree } from '@isotherm/contract/endpoints/network/tree'
import { ROOT_NODE } from '@isotherm/tree/tree'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../api/api-error.ts'
import { call } from '../api/client.ts'
import { useTreeSelection } from '../nodes/tree-selection.ts'
import { usePaused } from '../screen/use-paused.ts'
import { type NodeChoice, toNodeChoices } from './node-choices.ts'

const MAX_HITS = 20
/** Longest search text, characters. */
const MAX_TEXT = 60
/** Maximum number of checked nodes that are offered. */
const MAX_CHECKED = 10

/** The first items, without iterating the rest: half a million nodes may be checked. */
function takeFirst<Item>(items: Iterable<Item>, max: number): readonly Item[] {
  const first: Item[] = []
  for (const item of items) {
    if (first.length >= max) break
    first.push(item)
  }
  return first
}

/** The nodes selected in the tree, and the projects. */
function useOffered(): readonly NodeChoice[] {
  const { tree, current, published } = useTreeSelection()
  const chosen = [...(current ? [current] : []), ...takeFirst(published, MAX_CHECKED)]
  const top = tree.children(ROOT_NODE).map((node) => tree.view(node))
  return [
    ...chosen.flatMap(({ key, nestaddr }) => (nestaddr ? [{ key, nestaddr }] : [])),
    ...top.map(({ key, label }) => ({ key, nestaddr: label })),
  ]
}

/** The nodes to choose from: `known` ones and those selected in the tree, or the hits of a search over the whole company. */
export function useNodeChoices(known: readonly NodeChoice[]) {
  const { t } = useTranslation('common')
  const [typed, setTyped] = useState('')
  const text = usePaused(typed.trim().slice(0, MAX_TEXT))
  const offered = useOffered()
  const found = useQuery({
    queryKey: ['node-picker', text],
    queryFn: ({ signal }) => call(searchTree, { text, size: MAX_HITS }, { signal, quiet: true }),
    enabled: text !== '',
    placeholderData: keepPreviousData,
  })
  const isSearching = typed.trim() !== ''
  const hits = isSearching ? found.data?.datalist : undefined
  return {
    choices: toNodeChoices({ offered: [...known, ...offered], hits }),
    setTyped,
    isLoading: found.isFetching,
    /** Text if there is nothing to choose from. */
    none: !isSearching ? t('node.hint') : found.isError ? toFailureText(found.error) : t('node.none'),
  }
}
