import { workShift } from '../../../bench/shift/work-shift.ts'
import { DEMO_PASSWORD } from '../support/accounts.ts'
import { getProductUrl } from '../support/product-url.ts'
import { expect, test } from '../support/test.ts'

/** Number of nodes that a cycle may leave behind, such as the last focused element or a tooltip that is closing. */
const NODES_BY_CHANCE = 100
const LISTENERS_BY_CHANCE = 40

const title =
  'a shift leaves nothing in the browser: tabs, tree, order panel, chart, language and theme, over and over'

test(title, { tag: '@slow' }, async ({ browser }) => {
  test.setTimeout(600_000)
  const dispatcher = { url: getProductUrl(), account: 'dispatcher', password: DEMO_PASSWORD }
  const shift = { rounds: 6, firstRounds: 2, everyS: 0 }
  const { first, last } = await workShift(browser, dispatcher, shift, () => {})
  expect(last.nodes - first.nodes, 'nodes').toBeLessThan(NODES_BY_CHANCE)
  expect(last.listeners - first.listeners, 'listeners').toBeLessThan(LISTENERS_BY_CHANCE)
  expect(last.objectsMb - first.objectsMb, 'MB of objects').toBeLessThan(first.objectsMb * 0.05 + 1)
})
