import { ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import { i18n } from '../../../shared/i18n/i18n.ts'
import { live } from '../../../shared/live/live.ts'
import { clearTreeSelection, useTreeSelection } from '../../../shared/nodes/tree-selection.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { useSession } from '../../../shared/session/session-store.ts'
import { toSelected } from '../load/describe-node.ts'
import { createTreeLoader, type TreeLoader } from '../load/tree-loader.ts'
import { createTreeReloader, type TreeReloader } from '../load/tree-reload.ts'
import { treeSource } from '../load/tree-source.ts'
import { createTreeStart, type TreeStart } from '../load/tree-start.ts'
import { warnOf } from '../load/tree-warning.ts'
import { loadFirst } from './first-load.ts'
import { clearNetwork, useNetwork } from './network-store.ts'
import { createPublisher, type Publisher } from './publisher.ts'
import { createStructureChanges } from './structure-changes.ts'
import { restoreTree } from './tree-memory.ts'
import { createTreeStore, dropMemory, readMemory } from './tree-storage.ts'

/** The services of the tree of one user, from login to logout. */
export interface TreeSession extends TreeStart {
  readonly tree: Tree
  readonly loader: TreeLoader
  readonly reloader: TreeReloader
  readonly publisher: Publisher
  /** Reports that the projects cannot be loaded. The panel offers a retry. */
  fail(error: unknown): void
  /** The user changed the children of these nodes: they are loaded again, as after a change by another user. */
  note(parents: readonly string[]): void
  /** From now on the tree state is stored for a page reload. */
  settle(): void
  close(): void
}

/** Updates the current node after a rename or removal. A removal does not make pages show everything. */
function checkCurrent(tree: Tree): void {
  const { currentKey } = useNetwork.getState()
  if (currentKey === undefined) return
  const node = tree.find(currentKey)
  if (node === undefined) {
    useNetwork.setState({ currentKey: undefined })
    useTreeSelection.setState(({ covering, gone, current }) => ({
      current: undefined,
      gone: gone || (covering.length === 0 && current !== undefined && current.level > 0),
    }))
    return
  }
  const { current } = useTreeSelection.getState()
  const now = toSelected(tree, node)
  if (current && (current.label !== now.label || current.nestaddr !== now.nestaddr))
    useTreeSelection.setState({ current: now })
}

function openSession(tree: Tree): TreeSession {
  const publisher = createPublisher(tree)
  const store = createTreeStore(tree, useSession.getState().user?.id, () => useNetwork.getState().currentKey)
  let closed = false
  let reloading = false

  const loader = createTreeLoader({
    tree,
    source: treeSource,
    warn: warnOf,
    onBusy: (busy) => useNetwork.setState({ busy }),
    onLost: (lost) => useNetwork.setState({ lost }),
    onChange: () => {
      if (!reloading && !closed) checkCurrent(tree)
    },
    after: (ms, run) => void setTimeout(run, ms),
    now: () => performance.now(),
    pause: () => new Promise((resolve) => setTimeout(resolve)),
  })
  const reloader = createTreeReloader(tree, loader, {
    onBegin() {
      reloading = true
      publisher.hold()
    },
    onEnd() {
      reloading = false
      if (!closed) checkCurrent(tree)
      publisher.release()
    },
  })
  function fail(error: unknown): void {
    if (closed) return
    if (tree.count() > 1) warnOf('projectsFailed', error)
    else console.error('the projects could not be loaded', error)
    if (!tree.isComplete(ROOT_NODE)) useNetwork.setState({ failure: error })
  }
  const changes = createStructureChanges((parents) => reloader.reloadParents(parents).catch(fail))
  const leaveTree = tree.subscribe(() => {
    publisher.ensure()
    store.note()
  })
  const leaveLive = live.onStructure((parents) => {
    if (tree.count() > 1) changes.note(parents)
    // The connection was lost in between.
    if (parents.length === 0) retryFailed()
  })
  window.addEventListener('online', retryFailed)
  const leaveSelection = useTreeSelection.subscribe(({ gone, current }, before) => {
    if (gone && !before.gone) showNotice('warning', i18n.t('selection.gone', { ns: 'common' }))
    if (!current && before.current) useNetwork.setState({ currentKey: undefined })
  })
  const { start, touch } = createTreeStart({
    settle: store.settle,
    onDone() {
      if (!closed) useNetwork.setState({ failure: undefined })
    },
    onFail: fail,
  })

  /** Loads what could not be loaded while there was no connection. */
  function retryFailed(): void {
    const { failure, lost } = useNetwork.getState()
    if (failure !== undefined) return void start(() => loadFirst({ tree, loader, reloader, publisher }))
    for (const key of lost) {
      const node = tree.find(key)
      if (node !== undefined) void loader.load(node, { partial: true }).catch(fail)
    }
  }

  return {
    tree,
    loader,
    reloader,
    publisher,
    start,
    touch,
    fail,
    note: changes.note,
    settle: store.settle,
    close() {
      closed = true
      loader.close()
      publisher.stop()
      store.close()
      changes.close()
      leaveTree()
      leaveLive()
      window.removeEventListener('online', retryFailed)
      leaveSelection()
    },
  }
}

let session: TreeSession | undefined

/** The session of the current tree. */
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

/** Restores the tree state of the logged-in user after a page reload. */
export function restoreSession(): void {
  const { tree } = useTreeSelection.getState()
  const userId = useSession.getState().user?.id
  if (userId === undefined || tree.count() > 1) return
  try {
    const memory = readMemory(userId)
    if (!memory) return
    restoreTree(tree, memory)
    const node = memory.current === undefined ? undefined : tree.find(memory.current)
    if (node !== undefined) {
      useNetwork.setState({ currentKey: memory.current })
      useTreeSelection.setState({ current: toSelected(tree, node) })
    }
    const { publisher, settle } = getTreeSession()
    publisher.now()
    settle()
  } catch (error) {
    console.warn('the tree state cannot be restored', error)
    dropMemory(userId)
    clearTreeSelection()
  }
}

// The tree belongs to one user: after a change of user it is replaced before anything is shown.
useSession.subscribe(({ user }, before) => {
  if (user?.id === before.user?.id) return
  closeSession()
  clearTreeSelection()
  clearNetwork()
  restoreSession()
})
useTreeSelection.subscribe(({ tree }, before) => {
  if (tree !== before.tree) closeSession()
})
