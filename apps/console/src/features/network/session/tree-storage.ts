import type { Tree } from '@isotherm/tree/tree'
import { rememberTree, type TreeMemory, treeMemory } from './tree-memory.ts'

const REMEMBER_AFTER_MS = 1_000
/** Idle time is waited for so long at most, ms. */
const IDLE_WITHIN_MS = 2_000

const toStorageKey = (userId: number): string => `isotherm.tree.${userId}`

/** What is kept of the user's tree in this browser tab; absent when there is nothing. Throws when it cannot be read. */
export function readMemory(userId: number): TreeMemory | undefined {
  const kept = sessionStorage.getItem(toStorageKey(userId))
  return kept === null ? undefined : treeMemory.parse(JSON.parse(kept))
}

export const dropMemory = (userId: number): void => sessionStorage.removeItem(toStorageKey(userId))

function writeMemory(userId: number, memory: TreeMemory): void {
  try {
    sessionStorage.setItem(toStorageKey(userId), JSON.stringify(memory))
  } catch (error) {
    console.warn('the tree is not remembered: the browser gives no room', error)
  }
}

/** Runs once the browser has nothing else to do; gives what calls it off. Safari does not tell. */
function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    run()
    return () => {}
  }
  const handle = requestIdleCallback(run, { timeout: IDLE_WITHIN_MS })
  return () => cancelIdleCallback(handle)
}

/** Keeps a tree over a reload of the page. */
export interface TreeKeeper {
  /** The tree changed: it is kept a second later, when the browser is idle. */
  note(): void
  /** From here on it is kept: before, half of what was to open would be. */
  settle(): void
  close(): void
}

export function createTreeKeeper(
  tree: Tree,
  userId: number | undefined,
  currentKey: () => string | undefined,
): TreeKeeper {
  let settled = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let callOff = () => {}

  function keep(): void {
    timer = undefined
    if (userId !== undefined && settled) writeMemory(userId, rememberTree(tree, currentKey()))
  }
  function note(): void {
    timer ??= setTimeout(() => {
      callOff = whenIdle(keep)
    }, REMEMBER_AFTER_MS)
  }
  window.addEventListener('pagehide', keep)
  return {
    note,
    settle() {
      settled = true
      note()
    },
    close() {
      clearTimeout(timer)
      callOff()
      window.removeEventListener('pagehide', keep)
    },
  }
}
