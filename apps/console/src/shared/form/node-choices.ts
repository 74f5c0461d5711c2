import type { TreeHit } from '@isotherm/contract/endpoints/network/tree'
import type { NodeKey } from '@isotherm/contract/tree'

/** A node that may be chosen, with its address. */
export interface NodeChoice {
  readonly key: NodeKey
  readonly nestaddr: string
}

interface Choices {
  readonly offered: readonly NodeChoice[]
  /** Search hits; undefined without a search. */
  readonly hits: readonly TreeHit[] | undefined
}

/** The nodes to choose from, each once: the search hits, else the offered nodes. A device hit offers its node. */
export function toNodeChoices({ offered, hits }: Choices): readonly NodeChoice[] {
  const found = hits?.flatMap(({ chain, nestaddr }) => {
    const last = chain.at(-1)
    return last ? [{ key: last.node, nestaddr }] : []
  })
  const choices = new Map<NodeKey, NodeChoice>()
  for (const choice of found ?? offered) if (!choices.has(choice.key)) choices.set(choice.key, choice)
  return [...choices.values()]
}
