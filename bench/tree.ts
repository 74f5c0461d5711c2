import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, BenchPeer, BenchResult } from './bench.ts'
import { readBudgets } from './budgets.ts'
import { buildPages } from './tree/build-pages.ts'
import { measureEmptyFrame, measureTree } from './tree/measure-tree.ts'
import { type Summary, toComparison, toFigures, toMedian, toSummary } from './tree/summary.ts'

const OURS = 'ours'
const TREES = [OURS, 'antd', 'element-plus', 'react-arborist', 'headless-tree']
const ROUNDS = 5
const SIZES = [
  { name: '100k', count: 100_000 },
  { name: '500k', count: 500_000 },
]

/** Names of the trees to measure. ISOTHERM_BENCH_TREES=ours,antd selects two of them. */
function listTrees(): readonly string[] {
  const named = process.env.ISOTHERM_BENCH_TREES?.split(',')
  return named ? TREES.filter((tree) => named.includes(tree)) : TREES
}

async function measureSize(folder: string, count: number): Promise<ReadonlyMap<string, Summary>> {
  const summaries = new Map<string, Summary>()
  for (const tree of listTrees()) {
    console.log(`${tree} with ${count} nodes ...`)
    summaries.set(tree, toSummary(await measureTree(folder, tree, count, ROUNDS)))
  }
  return summaries
}

const NOTES = [
  `Median of ${ROUNDS} rounds in one page. Each time is from the call, just after a frame, until the frame in which`,
  'the result is visible; in brackets the time in which the page was busy, without waiting for the frame. Every result is',
  'checked in the document: a tree with a wrong result is not measured. Mount starts with the list of nodes',
  'of a server answer. Heap is the increase by the tree with everything open, including typed arrays.',
  'react-arborist has no check boxes: selecting replaces checking. headless-tree checks by node, because its own check',
  'of a subtree is quadratic; its search goes to the first match and hides nothing. –: not possible; > 20 s: aborted.',
]

async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-trees-'))
  try {
    buildPages(folder)
    const budgets = readBudgets('tree')
    const emptyFrame = toMedian(await measureEmptyFrame(folder, 21))
    const figures: Record<string, number> = {}
    const peers: BenchPeer[] = [{ figure: 'every time', label: 'an empty repaint, ms', value: emptyFrame }]
    const tables: string[] = []
    for (const { name, count } of SIZES) {
      const summaries = await measureSize(folder, count)
      tables.push(...toComparison(summaries, name, budgets), '')
      for (const [tree, summary] of summaries) {
        for (const [figure, value] of toFigures(summary, name)) {
          if (!budgets.has(figure) && budgets.size > 0) continue
          if (tree === OURS) figures[figure] = value
          else if (!Number.isNaN(value)) peers.push({ figure, label: tree, value })
        }
      }
    }
    return { figures, peers, notes: [...tables, ...NOTES] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const bench: Bench = {
  name: 'tree',
  about: "the console's tree in a real browser, on 100,000 and 500,000 nodes, beside four others",
  run,
}
