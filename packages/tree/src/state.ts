import { checkAbove, chooseLowest } from './checks.ts'
import { at, clearFlagBelow, flag, hasFlag, isLeaf, NO_NODE, ROOT_NODE, setFlag } from './columns.ts'
import type { Storage } from './put.ts'

/** Checked and expanded nodes by key, independent of loaded nodes. Leaves do not count as expanded. */
export interface TreeState {
  readonly checked: readonly string[]
  readonly expanded: readonly string[]
  /** Directly checked nodes; absent: the checked nodes without a checked node below. */
  readonly chosen?: readonly string[]
}

function listKeys({ columns, pending }: Storage, bits: number): string[] {
  const keys: string[] = []
  for (let position = 0; position < columns.live; position += 1) {
    const node = at(columns.order, position)
    // An open leaf looks like a closed one, so leaves are not stored.
    const counts = bits !== flag.expanded || !isLeaf(columns, node)
    if (counts && hasFlag(columns, node, bits)) keys.push(columns.keys[node] ?? '')
  }
  for (const [key, state] of pending) if ((state & bits) !== 0) keys.push(key)
  return keys
}

/** Reads the checked and expanded nodes, including those that are not loaded. */
export const saveState = (storage: Storage): Required<TreeState> => ({
  checked: listKeys(storage, flag.checked),
  expanded: listKeys(storage, flag.expanded),
  chosen: listKeys(storage, flag.chosen),
})

function setByKey({ columns, index, pending }: Storage, keys: readonly string[], bits: number): void {
  for (const key of keys) {
    const node = index.find(key)
    if (node === NO_NODE) pending.set(key, (pending.get(key) ?? 0) | bits)
    else {
      setFlag(columns, node, bits)
      if ((bits & flag.checked) !== 0) checkAbove(columns, node)
    }
  }
}

/** Replaces the checked and expanded nodes. The ancestors of checked nodes are checked too. */
export function restoreState(storage: Storage, { checked, expanded, chosen }: TreeState): void {
  const { columns } = storage
  clearFlagBelow(columns, ROOT_NODE, flag.checked | flag.chosen | flag.expanded | flag.declined)
  storage.pending.clear()
  storage.departed.clear()
  setByKey(storage, checked, flag.checked)
  setByKey(storage, expanded, flag.expanded)
  if (chosen) setByKey(storage, chosen, flag.checked | flag.chosen)
  else chooseLowest(columns)
}

/** Drops the checked state of nodes that are not loaded. */
export function forgetWaitingChecks({ pending, departed }: Storage): void {
  departed.clear()
  for (const [key, state] of pending) {
    if ((state & flag.expanded) === 0) pending.delete(key)
    else pending.set(key, flag.expanded)
  }
}
