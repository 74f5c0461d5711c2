import type { CompanyNode } from '../company.ts'

/** The company as nested objects, for trees that need them. */
export interface NestedNode {
  readonly id: string
  readonly label: string
  children?: NestedNode[]
}

/** Nests a list in preorder; nodes without children have no list of them. */
export function nest(nodes: readonly CompanyNode[]): readonly NestedNode[] {
  const byId = new Map<string, NestedNode>()
  const tops: NestedNode[] = []
  for (const { id, parent, label } of nodes) {
    const node: NestedNode = { id, label }
    byId.set(id, node)
    const above = byId.get(parent)
    if (!above) tops.push(node)
    else if (above.children) above.children.push(node)
    else above.children = [node]
  }
  return tops
}

/** Copies the nodes of a chain of ids, with these children at its end; everything else stays the same object. */
export function withChildren(
  tops: readonly NestedNode[],
  chain: readonly string[],
  children: readonly NestedNode[],
): readonly NestedNode[] {
  const path = new Set(chain)
  const id = chain.at(-1)
  const copy = (list: readonly NestedNode[]): NestedNode[] =>
    list.map((node) => {
      if (!path.has(node.id)) return node
      return node.id === id
        ? { ...node, children: [...children] }
        : { ...node, children: copy(node.children ?? []) }
    })
  return copy(tops)
}

/** Branches that lead to a match, and matches; the ids of the branches go into `open`. */
export function filterNested(
  list: readonly NestedNode[],
  text: string,
  open: string[],
): readonly NestedNode[] {
  return list.flatMap((node) => {
    const children = node.children ? filterNested(node.children, text, open) : []
    if (children.length > 0) {
      open.push(node.id)
      return [{ ...node, children: [...children] }]
    }
    return node.label.includes(text) ? [{ id: node.id, label: node.label }] : []
  })
}
