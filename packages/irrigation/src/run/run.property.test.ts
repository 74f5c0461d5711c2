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

it('never plans beyond the capacity, a valve beyond its longest time or twice at once, or water beyond the budget', () =>
  checkPlan(200))

it('runs what the preview shows, to the second, where every valve obeys at once, whenever the server restarts', () =>
  checkPreview(50))

it('runs what the preview shows behind a master valve that opens a lead before and closes a lag after', () =>
  checkMaster(50))

it('with late valves, killed servers, set clocks, pauses, halts and stops: never beyond capacity, longest time or budget, and it ends', () =>
  checkFaults(100))

it('begins each step when the preview says where valves never open, and waters the others as it says', () =>
  checkShutValves(30))

it('with valves that are stuck open: nothing begins before the preview or beyond the capacity, and it ends', () =>
  checkStuckValves(30))

it('runs what the preview shows beside a valve that is open by hand, within the capacity together', () =>
  checkByHand(30))
