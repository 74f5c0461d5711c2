import type { Tree } from '@isotherm/tree/tree'
import { type TreeMemory, toTreeMemory, treeMemory } from './tree-memory.ts'

const STORE_AFTER_MS = 1_000
/** Longest wait for idle time, ms. */
const IDLE_TIMEOUT_MS = 2_000

const toStorageKey = (userId: number): string => `isotherm.tree.${userId}`

/** The stored tree state of a user in this browser tab; undefined if there is none. Throws if it is invalid. */
export function readMemory(userId: number): TreeMemory | undefined {
  const stored = sessionStorage.getItem(toStorageKey(userId))
  return stored === null ? undefined : treeMemory.parse(JSON.parse(stored))
}

export const dropMemory = (userId: number): void => sessionStorage.removeItem(toStorageKey(userId))

function writeMemory(userId: number, memory: TreeMemory): void {
  try {
    sessionStorage.setItem(toStorageKey(userId), JSON.stringify(memory))
  } catch (error) {
    console.warn('the tree state cannot be stored', error)
  }
}

/** Runs a task when the browser is idle, in Safari at once. Returns a function that cancels it. */
function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    run()
    return () => {}
  }
  const handle = requestIdleCallback(run, { timeout: IDLE_TIMEOUT_MS })
  return () => cancelIdleCallback(handle)
}

/** Stores the tree state for a page reload. */
export interface TreeStore {
  /** The tree changed: it is stored a second later, when the browser is idle. */
  note(): void
  /** From now on the state is stored. Before, the tree is incomplete. */
  settle(): void
  close(): void
}

export function createTreeStore(
  tree: Tree,
  userId: number | undefined,
  currentKey: () => string | undefined,
): TreeStore {
  let settled = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let cancel = () => {}

  function store(): void {
    timer = undefined
    if (userId !== undefined && settled) writeMemory(userId, toTreeMemory(tree, currentKey()))
  }
  function note(): void {
    timer ??= setTimeout(() => {
      cancel = whenIdle(store)
    }, STORE_AFTER_MS)
  }
  window.addEventListener('pagehide', store)
  return {
    note,
    settle() {
      settled = true
      note()
    },
    close() {
      clearTimeout(timer)
      cancel()
      window.removeEventListener('pagehide', store)
    },
  }
}
