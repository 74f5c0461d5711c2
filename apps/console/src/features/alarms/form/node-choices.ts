import type { TreeHit } from '@isotherm/contract/endpoints/tree'
import type { NodeKey } from '@isotherm/contract/tree'

/** A node that may be chosen, with the names down to it. */
export interface NodeChoice {
  readonly key: NodeKey
  readonly nestaddr: string
}

interface Choices {
  readonly offered: readonly NodeChoice[]
  /** What a search found; absent while nothing is searched for. */
  readonly hits: readonly TreeHit[] | undefined
}

/** Nodes to choose from, each once: what was found, else what is offered. A device stands for its node. */
export function toNodeChoices({ offered, hits }: Choices): readonly NodeChoice[] {
  const found = hits?.flatMap(({ chain, nestaddr }) => {
    const last = chain.at(-1)
    return last ? [{ key: last.node, nestaddr }] : []
  })
  const choices = new Map<NodeKey, NodeChoice>()
  for (const choice of found ?? offered) if (!choices.has(choice.key)) choices.set(choice.key, choice)
  return [...choices.values()]
}
