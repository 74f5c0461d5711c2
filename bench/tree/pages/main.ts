import {
  type CompanyNode,
  generateChildren,
  generateCompany,
  listFound,
  SEARCHED_NAME,
  spreadHouseholds,
} from '../company.ts'
import { ROW_PX, type TreeDriver } from './driver.ts'
import { afterFrame, scrollFrames, settle, whenShown } from './frames.ts'

const LOADERS: Readonly<Record<string, () => Promise<{ readonly driver: TreeDriver }>>> = {
  ours: () => import('./ours.tsx'),
  antd: () => import('./antd.tsx'),
  'element-plus': () => import('./element-plus.ts'),
  'headless-tree': () => import('./headless-tree.tsx'),
  'react-arborist': () => import('./react-arborist.tsx'),
}

/** Number of first rows that are checked after an operation: the chain to the first household and the next rows. */
const CHECKED_ROWS = 10
/** Number of checked households that a tree restores. */
const RESTORED = 10_000
const SCROLL_STEP_PX = 500
const SCROLL_FRAMES = 100

interface Stage {
  readonly driver: TreeDriver
  readonly nodes: readonly CompanyNode[]
  readonly branches: readonly string[]
  /** Labels of the first rows if only the root is open. */
  readonly opened: readonly string[]
  /** Ids from the root to the first household. These nodes are the first rows. */
  readonly chain: readonly string[]
  readonly restored: readonly string[]
  /** Labels of the first rows of a search. */
  readonly found: readonly string[]
}

let stage: Stage | undefined

function getStage(): Stage {
  if (!stage) throw new Error('Nothing was loaded')
  return stage
}

function getHost(): HTMLElement {
  const host = document.getElementById('host')
  if (!host) throw new Error('The page has no host')
  return host
}

const readRows = () => getStage().driver.readVisibleRows(getHost()).slice(0, CHECKED_ROWS)
const shows = (labels: readonly string[]): boolean => {
  const rows = readRows()
  return rows.length >= labels.length && labels.every((label, index) => rows[index]?.label === label)
}
const showsFirst = (): boolean =>
  shows(
    getStage()
      .nodes.slice(0, CHECKED_ROWS)
      .map(({ label }) => label),
  )
/** Whether the checks of the first household and of the next one equal `first` and `second`. */
const areChecked = (first: boolean, second: boolean): boolean => {
  const rows = readRows()
  const index = getStage().chain.length - 1
  return rows[index]?.checked === first && rows[index + 1]?.checked === second
}

/** Time of an operation until its result is painted, ms. Starts just after a frame, in a separate task. */
async function measure(work: () => void, isShown: () => boolean, what: string): Promise<number> {
  await afterFrame()
  const started = performance.now()
  work()
  return (await whenShown(isShown, what)) - started
}

/** Whether the rows near `index` are shown. The place may differ by 20 %, because some trees measure their rows. */
function showsFrom(nodes: readonly CompanyNode[], index: number): boolean {
  const rows = getStage().driver.readVisibleRows(getHost()).slice(0, CHECKED_ROWS)
  const first = Math.floor(index * 0.8)
  const last = Math.ceil(index * 1.2)
  for (let from = first; from < last; from += 1) {
    if (rows.length === CHECKED_ROWS && rows.every(({ label }, row) => nodes[from + row]?.label === label))
      return true
  }
  return false
}

/** Result of an operation that the tree does not support. */
const UNSUPPORTED = null
type Duration = number | null

async function restore(): Promise<Duration> {
  const { driver, restored } = getStage()
  if (!driver.restore) return UNSUPPORTED
  return measure(
    () => driver.restore?.(restored),
    () => areChecked(true, false),
    'What was checked',
  )
}

const measurements: Readonly<Record<string, () => Promise<Duration>>> = {
  async prepare() {
    await afterFrame()
    const started = performance.now()
    getStage().driver.prepare(getStage().nodes)
    return performance.now() - started
  },
  mount() {
    const { driver, opened } = getStage()
    return measure(
      () => driver.mount(getHost()),
      () => shows(opened),
      'The tree',
    )
  },
  expandAll() {
    const { driver, branches } = getStage()
    return measure(() => driver.expandAll(branches), showsFirst, 'Everything open')
  },
  async checkRoot() {
    const { driver } = getStage()
    const { checkRoot } = driver
    if (!checkRoot) return UNSUPPORTED
    return measure(checkRoot, () => readRows().every(({ checked }) => checked), 'Everything checked')
  },
  async uncheckLeaf() {
    const { driver, chain } = getStage()
    const { uncheckLeaf } = driver
    if (!uncheckLeaf) return UNSUPPORTED
    return measure(
      () => uncheckLeaf(chain),
      () => areChecked(false, true),
      'One household unchecked',
    )
  },
  restore,
  /** The second call is faster, because a tree creates some data only once. */
  restoreAgain: restore,
  async search() {
    const { driver, found } = getStage()
    const { search } = driver
    if (!search) return UNSUPPORTED
    const isShown = driver.searchHides
      ? () => shows(found)
      : () => driver.readVisibleRows(getHost()).some(({ label }) => label.includes(SEARCHED_NAME))
    return measure(() => search(SEARCHED_NAME), isShown, 'What was found')
  },
  async scroll() {
    const { driver, nodes } = getStage()
    const scroller = driver.findScroller(getHost())
    if (!scroller) return UNSUPPORTED
    const durations = await scrollFrames(scroller, SCROLL_STEP_PX, SCROLL_FRAMES)
    await whenShown(() => showsFrom(nodes, scroller.scrollTop / ROW_PX), 'The rows scrolled to')
    scroller.scrollTop = 0
    await whenShown(showsFirst, 'The top')
    return durations.toSorted((a, b) => a - b)[Math.floor(SCROLL_FRAMES * 0.95)] ?? UNSUPPORTED
  },
  async addChildren() {
    const { driver, chain, nodes } = getStage()
    const { addChildren } = driver
    if (!addChildren) return UNSUPPORTED
    const children = generateChildren(chain.at(-1) ?? '')
    const labels = [...nodes.slice(0, chain.length), ...children.slice(0, 3)].map(({ label }) => label)
    return measure(
      () => addChildren(chain, children),
      () => shows(labels),
      'Twenty children',
    )
  },
  /** Time of a frame in which only one attribute changes. */
  async nothing() {
    const host = getHost()
    return measure(
      () => host.setAttribute('title', String(performance.now())),
      () => true,
      'A frame',
    )
  },
}

/** Operations between two measurements. They have no effect if the tree does not support them. */
const between: Readonly<Record<string, () => Promise<unknown>>> = {
  async openChain() {
    const { driver, chain } = getStage()
    driver.openChain?.(chain)
    await whenShown(showsFirst, 'The first household')
  },
  async uncheckAll() {
    getStage().driver.uncheckAll?.()
    await whenShown(() => readRows().every(({ checked }) => !checked), 'Nothing checked')
  },
  async endSearch() {
    getStage().driver.endSearch?.()
    await whenShown(showsFirst, 'Everything after a search')
  },
  async unmount() {
    getStage().driver.unmount()
    getHost().replaceChildren()
    await afterFrame()
  },
}

/** Generates the company and loads the tree's code, without measuring. */
async function load(tool: string, count: number): Promise<void> {
  const loader = LOADERS[tool]
  if (!loader) throw new Error(`There is no tree ${tool}`)
  const { driver } = await loader()
  await driver.start?.()
  // JSON makes flat strings, like the answer of a server, instead of concatenated ones.
  const nodes: readonly CompanyNode[] = JSON.parse(JSON.stringify(generateCompany(count)))
  const branches = [...new Set(nodes.map(({ parent }) => parent))].filter((id) => id !== '')
  const first = nodes.findIndex(({ level }) => level === 8)
  const chain = nodes.slice(0, first + 1).map(({ id }) => id)
  const restored = spreadHouseholds(nodes, RESTORED)
  const opened = nodes.filter(({ level }) => level < 2).map(({ label }) => label)
  const found = listFound(nodes, SEARCHED_NAME)
  stage = {
    driver,
    nodes,
    branches,
    chain,
    restored,
    opened: opened.slice(0, CHECKED_ROWS),
    found: found.slice(0, CHECKED_ROWS),
  }
}

async function run(name: string): Promise<Duration> {
  const work = measurements[name]
  if (!work) throw new Error(`There is no measurement ${name}`)
  return work()
}

/** Runs an operation between two measurements, and waits until the page is idle. */
async function runBetween(name: string): Promise<void> {
  await between[name]?.()
  await settle()
}

Object.assign(window, { treeBench: { load, run, runBetween, settle } })
