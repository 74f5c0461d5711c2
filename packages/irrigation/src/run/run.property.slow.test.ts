import { it } from 'vitest'
import {
  checkByHand,
  checkFaults,
  checkMaster,
  checkPlan,
  checkPreview,
  checkShutValves,
  checkStuckValves,
} from './run.testkit.ts'

/** They compute all the time: on a busy machine the longest takes minutes. */
const LONG = { timeout: 600_000 }

it(
  'never plans beyond the capacity, a valve beyond its longest time or twice at once, or water beyond the budget',
  LONG,
  () => checkPlan(5_000),
)

it(
  'runs what the preview shows, to the second, where every valve obeys at once, whenever the server restarts',
  LONG,
  () => checkPreview(1_500),
)

it(
  'runs what the preview shows behind a master valve that opens a lead before and closes a lag after',
  LONG,
  () => checkMaster(1_000),
)

it(
  'with late valves, killed servers, set clocks, pauses, halts and stops: never beyond capacity, longest time or budget, and it ends',
  LONG,
  () => checkFaults(3_000),
)

it(
  'begins each step when the preview says where valves never open, and waters the others as it says',
  LONG,
  () => checkShutValves(600),
)

it(
  'with valves that are stuck open: nothing begins before the preview or beyond the capacity, and it ends',
  LONG,
  () => checkStuckValves(600),
)

it(
  'runs what the preview shows beside a valve that is open by hand, within the capacity together',
  LONG,
  () => checkByHand(600),
)
