import type { Tree } from '@isotherm/tree/tree'
import { i18n } from '../../shared/i18n/i18n.ts'
import { live } from '../../shared/live/live.ts'
import { useSession } from '../../shared/session/session-store.ts'
import { clearTreeSelection, useTreeSelection } from '../../shared/tree-selection.ts'
import { showNotice } from '../../shared/ui/notices.ts'
import { toSelected } from './describe-node.ts'
import { clearNetwork, useNetwork } from './network-store.ts'
import { createPublisher, type Publisher } from './publisher.ts'
import { createTreeLoader, type LoadFailure, type TreeLoader } from './tree-loader.ts'
import { recallTree, rememberTree, treeMemory } from './tree-memory.ts'
import { createTreeReloader, type TreeReloader } from './tree-reload.ts'
import { treeSource } from './tree-source.ts'

/** How long a warning of the tree stands, s (specification, section 9). */
const WARNING_S = 1
const REMEMBER_AFTER_MS = 1_000

/** What works on one user's tree, from the sign-in to the sign-out. */
export interface TreeSession {
  readonly tree: Tree
  readonly loader: TreeLoader
  readonly reloader: TreeReloader
  readonly publisher: Publisher
  /** From here on the tree is remembered over a reload: before, half of what was to open would be. */
  settle(): void
  close(): void
}

const toStorageKey = (userId: number): string => `isotherm.tree.${userId}`

export function warnOf(failure: LoadFailure, error: unknown): void {
  console.error(error)
  showNotice('warning', i18n.t(failure, { ns: 'network' }), WARNING_S)
}

/** The current node as it is now: renamed, or gone, since it was chosen. */
function checkCurrent(tree: Tree): void {
  const { currentKey } = useNetwork.getState()
  if (currentKey === undefined) return
  const node = tree.find(currentKey)
  if (node === undefined) {
    useNetwork.setState({ currentKey: undefined })
    useTreeSelection.setState({ current: undefined })
    return
  }
  const { current } = useTreeSelection.getState()
  const now = toSelected(tree, node)
  if (current?.label !== now.label || current.nestaddr !== now.nestaddr)
    useTreeSelection.setState({ current: now })
}

function openSession(tree: Tree): TreeSession {
  const publisher = createPublisher(tree)
  const userId = useSession.getState().user?.id
  let settled = false
  let remembering: ReturnType<typeof setTimeout> | undefined

  function remember(): void {
    clearTimeout(remembering)
    remembering = undefined
    if (userId === undefined || !settled) return
    const memory = rememberTree(tree, useNetwork.getState().currentKey)
    try {
      sessionStorage.setItem(toStorageKey(userId), JSON.stringify(memory))
    } catch (error) {
      console.warn('the tree is not remembered: the browser gives no room', error)
    }
  }

  const loader = createTreeLoader({
    tree,
    source: treeSource,
    warn: warnOf,
    onBusy: (busy) => useNetwork.setState({ busy }),
    onChange: () => checkCurrent(tree),
    after: (ms, run) => void setTimeout(run, ms),
    pause: () => new Promise((resolve) => setTimeout(resolve)),
  })
  const reloader = createTreeReloader(tree, loader)
  const leaveTree = tree.subscribe(() => {
    publisher.ensure()
    remembering ??= setTimeout(remember, REMEMBER_AFTER_MS)
  })
  const leaveLive = live.onStructure((parents) => {
    if (tree.count() === 1) return
    reloader.reloadParents(parents).catch((error: unknown) => warnOf('groupsFailed', error))
  })
  window.addEventListener('pagehide', remember)
  return {
    tree,
    loader,
    reloader,
    publisher,
    settle() {
      settled = true
      remembering ??= setTimeout(remember, REMEMBER_AFTER_MS)
    },
    close() {
      loader.close()
      publisher.stop()
      clearTimeout(remembering)
      leaveTree()
      leaveLive()
      window.removeEventListener('pagehide', remember)
    },
  }
}

let session: TreeSession | undefined

/** What works on the tree as it is now. */
export function getTreeSession(): TreeSession {
  const { tree } = useTreeSelection.getState()
  if (session?.tree === tree) return session
  session?.close()
  session = openSession(tree)
  return session
}

function closeSession(): void {
  session?.close()
  session = undefined
}

/** Puts back what the signed-in user had in this browser tab before the page was loaded again. */
export function recallSession(): void {
  const { tree } = useTreeSelection.getState()
  const userId = useSession.getState().user?.id
  if (userId === undefined || tree.count() > 1) return
  const kept = sessionStorage.getItem(toStorageKey(userId))
  if (kept === null) return
  try {
    const memory = treeMemory.parse(JSON.parse(kept))
    recallTree(tree, memory)
    const node = memory.current === undefined ? undefined : tree.find(memory.current)
    if (node !== undefined) {
      useNetwork.setState({ currentKey: memory.current })
      useTreeSelection.setState({ current: toSelected(tree, node) })
    }
    const { publisher, settle } = getTreeSession()
    publisher.now()
    settle()
  } catch (error) {
    console.warn('the tree is not put back: what was kept cannot be read', error)
    sessionStorage.removeItem(toStorageKey(userId))
    clearTreeSelection()
  }
}

// The tree belongs to a user: with another one it is another tree, before anything of it is shown.
useSession.subscribe(({ user }, before) => {
  if (user?.id === before.user?.id) return
  closeSession()
  clearTreeSelection()
  clearNetwork()
  recallSession()
})
useTreeSelection.subscribe(({ tree }, before) => {
  if (tree !== before.tree) closeSession()
})
