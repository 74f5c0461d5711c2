import { it } from 'vitest'
import { checkCalendar, checkPauses, checkSetClocks } from './calendar.testkit.ts'

it('runs what the preview of the evening before shows: all kinds of days and starts, seasons, cycles, changes of the clock, restarts', () =>
  checkCalendar(60))

it('runs each start once, and none is lost, however the clock of the server is set', () => checkSetClocks(30))

it('keeps the budget of each day, and cuts nothing that is planned, whatever is paused and resumed', () =>
  checkPauses(60))
