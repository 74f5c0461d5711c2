import { it } from 'vitest'
import { checkCalendar, checkSetClocks } from './calendar.testkit.ts'

it('runs what the preview of the evening before shows: all kinds of days and starts, seasons, cycles, changes of the clock, restarts', () =>
  checkCalendar(1_500))

it('runs each start once, and none is lost, however the clock of the server is set', () =>
  checkSetClocks(800))
