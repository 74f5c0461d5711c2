import type { TreeRow } from './tree-rows.ts'

export type KeyAction =
  | { readonly kind: 'move'; readonly index: number }
  | { readonly kind: 'open' | 'close' | 'choose' | 'check' }

/** The row a row hangs from, by the levels above it in the list. */
function findParentIndex(rows: readonly TreeRow[], index: number): number {
  const parent = rows[index]?.node.parent
  return rows.findLastIndex((row, above) => above < index && row.node.key === parent)
}

/** What a key does on a row, as the ARIA tree pattern has it; nothing for any other key. */
export function toKeyAction(key: string, rows: readonly TreeRow[], index: number): KeyAction | undefined {
  const row = rows[index]
  const move = (to: number): KeyAction => ({
    kind: 'move',
    index: Math.min(rows.length - 1, Math.max(0, to)),
  })
  switch (key) {
    case 'ArrowDown':
      return move(index + 1)
    case 'ArrowUp':
      return move(index - 1)
    case 'Home':
      return move(0)
    case 'End':
      return move(rows.length - 1)
    case 'ArrowRight':
      if (!row?.branch) return undefined
      return row.open ? move(index + 1) : { kind: 'open' }
    case 'ArrowLeft':
      if (row?.branch && row.open) return { kind: 'close' }
      return row?.node.parent === undefined ? undefined : move(findParentIndex(rows, index))
    case 'Enter':
      return { kind: 'choose' }
    case ' ':
      return { kind: 'check' }
    default:
      return undefined
  }
}
