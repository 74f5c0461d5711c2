import { it } from 'vitest'
import { checkCalendar, checkPauses, checkSetClocks } from './calendar.testkit.ts'

const TIMEOUT_MS = 600_000

it(
  'runs what the preview of the evening before shows: all kinds of days and starts, seasons, cycles, changes of the clock, restarts',
  {
    timeout: TIMEOUT_MS,
  },
  () => checkCalendar(1_000),
)

it(
  'runs each start once, and none is lost, however the clock of the server is set',
  {
    timeout: TIMEOUT_MS,
  },
  () => checkSetClocks(300),
)

it(
  'keeps the budget of each day, and cuts nothing that is planned, whatever is paused and resumed',
  {
    timeout: TIMEOUT_MS,
  },
  () => checkPauses(500),
)
