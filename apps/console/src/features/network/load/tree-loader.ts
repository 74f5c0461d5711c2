import { treeLevels } from '@isotherm/contract/tree'
import { type NodeList, type NodeNumber, ROOT_NODE, type Tree } from '@isotherm/tree/tree'
import { toGroupList, toSubUserList } from '../lists/build-lists.ts'
import { runInSlices, type SlicePorts, type Steps } from '../lists/in-slices.ts'
import { isPlacedKey, isPlacedRow, toPlacedKey } from '../lists/node-keys.ts'
import { LOADING_STOPS_AT, toNodeType } from '../lists/node-kinds.ts'
import { comesWithParent } from '../lists/node-parts.ts'
import { type CompanyLists, createCompanyLists, loadProjects } from './company-lists.ts'
import { findProjectId, toChain, toCompanyChain } from './describe-node.ts'
import { limitCalls } from './limit-calls.ts'
import type { TreeSource } from './tree-source.ts'

/** Wait after a level-2 load before subdivisions of type s are collapsed, ms (specification, section 9). */
const COLLAPSE_AFTER_MS = 1_000
const COLLAPSED_STYPE = 's'

export type LoadFailure = 'groupsFailed' | 'addressesFailed' | 'subUsersFailed'

export interface LoaderPorts extends SlicePorts {
  readonly tree: Tree
  readonly source: TreeSource
  /** A part could not be loaded; the tree is shown without it. */
  readonly warn: (failure: LoadFailure, error: unknown) => void
  /** Keys of the nodes whose children are loading. */
  readonly onBusy: (keys: ReadonlySet<string>) => void
  /** Keys of the nodes whose last load failed. */
  readonly onLost: (keys: ReadonlySet<string>) => void
  /** Nodes were added, removed or changed. */
  readonly onChange: () => void
  readonly after: (ms: number, run: () => void) => void
}

export interface LoadOptions {
  /** New nodes stay closed, even below an open parent, because the open nodes were restored. */
  readonly keepClosed?: boolean
  /** Fetches again, even if the list is cached or loading. */
  readonly fresh?: boolean
  /** Also loads open nodes below that are partly loaded. */
  readonly partial?: boolean
}

/** A list that needs no further steps. */
function* ready(list: NodeList): Steps<NodeList> {
  yield
  return list
}

/** Fills the tree from the server by level (specification, section 4). */
export interface TreeLoader {
  /** Loads the children of a node and of the open nodes below it. Throws only if the projects cannot be loaded. */
  load(node: NodeNumber, options?: LoadOptions): Promise<void>
  /** Expands a node and loads its children. */
  open(node: NodeNumber): Promise<void>
  /** Expands and loads all levels below a node. */
  openAll(node: NodeNumber): Promise<void>
  /** The node to load in order to load this one: for a sub-user or address, its area. */
  findStart(node: NodeNumber): NodeNumber
  /** The cached sub-users of the companies. Call `forget` when they may have changed. */
  readonly companies: Pick<CompanyLists, 'forget' | 'forgetAll'>
  /** Types of the subdivisions of opened companies, by id. */
  readonly stypes: ReadonlyMap<string, string>
  /** Drops all running loads. */
  close(): void
}

export function createTreeLoader(ports: LoaderPorts): TreeLoader {
  const { tree, warn } = ports
  const source = limitCalls(ports.source)
  const companies = createCompanyLists(source)
  const busy = new Map<string, Promise<void>>()
  const lost = new Set<string>()
  /** Id chains of the level-2 nodes whose lists were loaded. */
  const prepared = new Set<string>()
  const stypes = new Map<string, string>()
  let closed = false
  let lastPut: Promise<void> = Promise.resolve()
  /** Rows of the test-marked sub-user below loaded areas. */
  const placed = new Set<string>()

  const typeOf = (node: NodeNumber) => toNodeType(tree.view(node).kind)
  const isCompany = (node: NodeNumber): boolean => {
    const { level, kind } = tree.view(node)
    return level === treeLevels.company && toNodeType(kind) === 'group'
  }
  const isArea = (node: NodeNumber): boolean => {
    const { level } = tree.view(node)
    return typeOf(node) === 'group' && level >= treeLevels.residentialArea
  }

  /** Puts a list below a node, unless the tree was closed or the node removed in the meantime. */
  async function putNow(key: string, steps: Steps<NodeList>, { keepClosed = false }: LoadOptions) {
    if (closed || tree.find(key) === undefined) return
    const list = await runInSlices(steps, ports)
    const node = tree.find(key)
    if (closed || node === undefined) return
    const isNew = (each: string): boolean => tree.find(each) === undefined
    const toClose = (keepClosed ? list.keys : list.keys.filter(isPlacedRow)).filter(isNew)
    tree.batch(() => {
      tree.put(node, list, true)
      for (const each of toClose) tree.expand(tree.find(each) ?? ROOT_NODE, false)
    })
    ports.onChange()
    await ports.pause()
  }

  /** Builds and puts lists one after the other. A failed one does not block the next. */
  function putList(key: string, steps: Steps<NodeList>, options: LoadOptions): Promise<void> {
    const put = lastPut.then(() => putNow(key, steps, options))
    lastPut = put.catch(() => undefined)
    return put
  }

  async function loadGroups(node: NodeNumber, options: LoadOptions): Promise<void> {
    const { key } = tree.view(node)
    const projectId = findProjectId(tree, node)
    if (projectId === undefined) return
    const groups = await source.listGroups(projectId, typeOf(node) === 'project' ? undefined : Number(key))
    await putList(key, ready(toGroupList(groups)), options)
  }

  async function loadSubUsers(node: NodeNumber, options: LoadOptions): Promise<void> {
    const { key, level } = tree.view(node)
    const chain = toChain(tree, node)
    const company = toCompanyChain(tree, node)
    const users = await (options.fresh ? companies.refresh(company, chain) : companies.find(company))
    if (users.test) placed.add(toPlacedKey(users.test.uuid, key))
    await putList(key, toSubUserList({ key, level }, users.in(chain), users.test, users.toOrder), options)
  }

  /** The test-marked sub-user has all addresses of the company. */
  async function loadPlaced(node: NodeNumber, options: LoadOptions): Promise<void> {
    const { key, level } = tree.view(node)
    const users = await companies.find(toCompanyChain(tree, node))
    await putList(key, users.listUnion(key, level), options)
  }

  function setLost(key: string, isLost: boolean): void {
    if (lost.has(key) === isLost) return
    if (isLost) lost.add(key)
    else lost.delete(key)
    ports.onLost(new Set(lost))
  }

  const failed = (failure: LoadFailure, key?: string) => (error: unknown) => {
    if (closed) return
    if (key !== undefined) setLost(key, true)
    warn(failure, error)
  }

  function loadByLevel(node: NodeNumber, options: LoadOptions): Promise<void> {
    const { key, level } = tree.view(node)
    if (level >= LOADING_STOPS_AT) return Promise.resolve()
    if (node === ROOT_NODE) return loadProjects(source).then((list) => putList(key, ready(list), options))
    if (isPlacedKey(key)) return loadPlaced(node, options).catch(failed('subUsersFailed', key))
    if (isArea(node)) return loadSubUsers(node, options).catch(failed('subUsersFailed', key))
    const type = typeOf(node)
    if (type !== 'project' && type !== 'group') return Promise.resolve()
    return loadGroups(node, options).catch(failed('groupsFailed', key))
  }

  const findStart = (node: NodeNumber): NodeNumber =>
    comesWithParent(tree, node) ? findStart(tree.view(node).parent) : node

  /** Loads the children of one node. A second call during the load waits for the same load. */
  async function loadOne(target: NodeNumber, options: LoadOptions): Promise<void> {
    const node = findStart(target)
    const { key } = tree.view(node)
    const running = busy.get(key)
    if (running && !options.fresh) return running
    const work = Promise.resolve(running)
      .catch(() => undefined)
      .then(() => loadByLevel(tree.find(key) ?? node, options))
      .finally(() => {
        if (busy.get(key) === work) busy.delete(key)
        if (!closed) ports.onBusy(new Set(busy.keys()))
      })
    busy.set(key, work)
    if (closed) return work
    setLost(key, false)
    ports.onBusy(new Set(busy.keys()))
    return work
  }

  /** Fetches the sub-users of a company once, when it is opened. Its subdivisions of type s are collapsed a second later. */
  async function prepareCompany(node: NodeNumber): Promise<void> {
    const chain = toCompanyChain(tree, node)
    if (prepared.has(chain)) return
    prepared.add(chain)
    try {
      const [subdivisions] = await Promise.all([source.listSubdivisions(chain), companies.find(chain)])
      for (const { sid, stype } of subdivisions) stypes.set(sid, stype)
      const sids = subdivisions.filter(({ stype }) => stype === COLLAPSED_STYPE).map(({ sid }) => sid)
      if (sids.length > 0) ports.after(COLLAPSE_AFTER_MS, () => collapse(sids))
    } catch (error) {
      prepared.delete(chain)
      failed('addressesFailed')(error)
    }
  }

  function collapse(keys: readonly string[]): void {
    if (closed) return
    const nodes = keys.map((key) => tree.find(key)).filter((node) => node !== undefined)
    tree.batch(() => {
      for (const node of nodes) if (tree.isExpanded(node)) tree.expand(node, false)
    })
    ports.onChange()
  }

  /** Loads the open nodes that are not loaded, from the top. Their children are loaded with or after them. */
  async function loadShown(from: NodeNumber, options: LoadOptions): Promise<void> {
    const missing: string[] = []
    const companies: NodeNumber[] = []
    tree.walk(from, (node) => {
      if (!tree.isExpanded(node)) return false
      if (isCompany(node)) companies.push(node)
      const isMissing = !tree.isComplete(node) && (options.partial === true || tree.sizeOf(node) === 1)
      if (isMissing) missing.push(tree.view(node).key)
      return !isMissing
    })
    for (const company of companies) void prepareCompany(company)
    await Promise.all(missing.map((key) => loadKey(key, options)))
  }

  /** Loads a node and the open nodes below it; after a failure, nothing below it. */
  async function load(target: NodeNumber, options: LoadOptions = {}): Promise<void> {
    if (closed) return
    const { key } = tree.view(findStart(target))
    await loadOne(target, options)
    const node = tree.find(key)
    if (closed || node === undefined || !tree.isComplete(node)) return
    const below = { ...options, fresh: false }
    await Promise.all(tree.children(node).map((child) => loadShown(child, below)))
  }

  /** Loads by key, because the number of a node may be reused in the meantime. */
  async function loadKey(key: string, options: LoadOptions): Promise<void> {
    const node = tree.find(key)
    if (node !== undefined && !tree.isComplete(node)) await load(node, options)
  }

  return {
    load,
    findStart,
    companies,
    stypes,
    async open(node) {
      tree.expand(node, true)
      ports.onChange()
      if (isCompany(node)) void prepareCompany(node)
      if (!tree.isComplete(node)) await load(node)
      else await loadShown(node, {})
    },
    async openAll(start) {
      const { key } = tree.view(start)
      for (let loaded = -1, node: NodeNumber | undefined = start; node !== undefined && !closed; ) {
        if (loaded === tree.sizeOf(node)) return
        loaded = tree.sizeOf(node)
        expandBelow(node)
        await loadShown(node, { partial: true })
        node = tree.find(key)
      }
    },
    close() {
      closed = true
    },
  }

  /** Expands all below a node, except the test-marked sub-users with all addresses of the company. */
  function expandBelow(node: NodeNumber): void {
    tree.batch(() => {
      tree.expandAll(true, node)
      for (const key of placed) {
        const each = tree.find(key)
        if (each !== undefined && tree.chain(each).includes(node)) tree.expand(each, false)
      }
    })
    ports.onChange()
  }
}
