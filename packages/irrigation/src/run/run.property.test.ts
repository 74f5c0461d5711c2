import { it } from 'vitest'
import { checkFaults, checkMaster, checkPlan, checkPreview } from './run.testkit.ts'

it('never plans beyond the capacity, a valve beyond its longest time or twice at once, or water beyond the budget', () =>
  checkPlan(200))

it('runs what the preview shows, to the second, where every valve obeys at once, whenever the server restarts', () =>
  checkPreview(50))

it('runs what the preview shows behind a master valve that opens a lead before and closes a lag after', () =>
  checkMaster(50))

it('with late valves, killed servers, set clocks, pauses, halts and stops: never beyond capacity, longest time or budget, and it ends', () =>
  checkFaults(100))
