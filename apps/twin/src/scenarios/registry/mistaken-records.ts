import type { RegistryFile, RegistryNode } from '@isotherm/contract/network/registry-file'
import type { Fault, FaultOf } from '../../faults/fault.ts'

/** Keys of a node and all below it. `nodes` must list parents first. */
function subtreeOf(nodes: readonly RegistryNode[], root: string): ReadonlySet<string> {
  const keys = new Set([root])
  for (const { key, parent } of nodes) if (parent !== null && keys.has(parent)) keys.add(key)
  return keys
}

function applyWrongArea(nodes: RegistryNode[], { target, factor }: FaultOf<'wrong-area'>): RegistryNode[] {
  const keys = subtreeOf(nodes, target)
  return nodes.map((node) =>
    node.areaM2 !== undefined && keys.has(node.key) ? { ...node, areaM2: node.areaM2 * factor } : node,
  )
}

/** Moves the node with all below it to the end, so that parents are still first. */
function applyWrongParent(
  nodes: RegistryNode[],
  { target, parent }: FaultOf<'wrong-parent'>,
): RegistryNode[] {
  const keys = subtreeOf(nodes, target)
  if (keys.has(parent)) throw new Error(`${target} cannot be below itself (${parent})`)
  const moved = nodes.filter((node) => keys.has(node.key))
  return [
    ...nodes.filter((node) => !keys.has(node.key)),
    ...moved.map((node) => (node.key === target ? { ...node, parent } : node)),
  ]
}

/** The records of a field with their mistakes. Throws for a mistake about an unknown node. */
export function applyRecordMistakes(faults: readonly Fault[], file: RegistryFile): RegistryFile {
  let nodes = [...file.nodes]
  for (const fault of faults) {
    if (fault.kind !== 'wrong-area' && fault.kind !== 'wrong-parent') continue
    const named = fault.kind === 'wrong-area' ? [fault.target] : [fault.target, fault.parent]
    const unknown = named.find((key) => !nodes.some((node) => node.key === key))
    if (unknown !== undefined)
      throw new Error(`a mistake of the records names ${unknown}, which is not a node`)
    nodes = fault.kind === 'wrong-area' ? applyWrongArea(nodes, fault) : applyWrongParent(nodes, fault)
  }
  return { ...file, nodes }
}
