import type { CompanyNode } from '../company.ts'

/** The company as nested objects, for trees that need them. */
export interface NestedNode {
  readonly id: string
  readonly label: string
  children?: NestedNode[]
}

/** Converts a list in preorder to nested objects. Nodes without children have no `children`. */
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

/** Adds children to the last node of a chain of ids. Copies only the nodes of the chain. */
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

/** The matching nodes and their ancestors. Adds the ids of the ancestors to `open`. */
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
