import { chromium } from '@playwright/test'
import { toLaunchOptions } from '../tools/product/chromium.ts'
import { startProduct } from '../tools/product/start-product.ts'
import type { Bench, BenchResult } from './bench.ts'
import { type Shift, workShift } from './shift/work-shift.ts'

const ACCOUNT = { account: 'dispatcher', password: 'isotherm-demo' }
/** Three hours of an operator's work (a cycle every five minutes), but without the pauses. */
const SHORT: Shift = { rounds: 36, firstRounds: 4, everyS: 0 }
/** The same in real time: ISOTHERM_SHIFT=real. */
const REAL: Shift = { rounds: 36, firstRounds: 2, everyS: 300 }

/** Growth of the number of objects since the tenth minute that counts as random variation, share. */
const TOLERATED_SHARE = 0.05
const TOLERATED_MB = 1

async function run(): Promise<BenchResult> {
  const shift = process.env.ISOTHERM_SHIFT === 'real' ? REAL : SHORT
  const product = await startProduct()
  const browser = await chromium.launch(toLaunchOptions())
  try {
    const { first, last } = await workShift(browser, { url: product.url, ...ACCOUNT }, shift, console.log)
    const allowedMb = first.objectsMb * TOLERATED_SHARE + TOLERATED_MB
    const grownMb = last.objectsMb - first.objectsMb
    if (grownMb > allowedMb) {
      throw new Error(`The page keeps more and more: ${JSON.stringify({ first, last, allowedMb })}`)
    }
    return {
      figures: {
        objects_grown_mb: grownMb,
        heap_grown_mb: last.heapMb - first.heapMb,
        nodes_grown: last.nodes - first.nodes,
        listeners_grown: last.listeners - first.listeners,
        detached_grown: last.detached - first.detached,
      },
      peers: [
        { figure: 'objects_grown_mb', label: 'objects after ten minutes, MB', value: first.objectsMb },
        { figure: 'objects_grown_mb', label: 'most growth that passes, MB', value: allowedMb },
        { figure: 'heap_grown_mb', label: 'with compiled code after ten minutes, MB', value: first.heapMb },
        { figure: 'nodes_grown', label: 'nodes after ten minutes', value: first.nodes },
        { figure: 'listeners_grown', label: 'listeners after ten minutes', value: first.listeners },
        { figure: 'detached_grown', label: 'detached objects after ten minutes', value: first.detached },
      ],
      notes: [
        `A dispatcher works ${shift.rounds} cycles on the running demo with live data: tabs opened`,
        'and closed, tree opened, checked and searched, a command written and discarded, a chart drawn, language and',
        `theme switched. The first snapshot is after ${shift.firstRounds} cycles, each after garbage collection and with`,
        'the five-minute caches of the console expired.',
      ],
    }
  } finally {
    await browser.close()
    await product.stop()
  }
}

export const bench: Bench = {
  name: 'shift',
  about: "what three hours of an operator's work leave in the browser's memory",
  run,
}
