import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AlarmsBench, everyAlarm, firstPage, startAlarmsBench } from '../alarms.testkit.ts'
import { removeEndedAlarms } from './ended-alarms.pg.ts'

let bench: AlarmsBench

beforeAll(async () => {
  bench = await startAlarmsBench()
})
afterAll(() => bench.close())

test('ended alarms are deleted with their log after their retention; open ones never', async () => {
  const { db, clock } = bench
  const alarms = await bench.start()
  const { getAlarms, getAlarmLog, editAlarm } = alarms.handlers
  const find = async (imei: string) => {
    const { datalist } = await getAlarms(everyAlarm, bench.toCall())
    const found = datalist.find((alarm) => alarm.imei === imei)
    if (!found) throw new Error(`no alarm of ${imei}`)
    return { id: found.id, version: found.version }
  }
  await bench.makeCold(alarms, 'R-b2u1')
  await bench.makeCold(alarms, 'R-b2u2')
  await bench.makeCold(alarms, 'R-b3u1')
  await bench.becomes(['room-cold R-b2u1 active', 'room-cold R-b2u2 active', 'room-cold R-b3u1 active'])
  const start = clock.now()
  await editAlarm({ ...(await find('R-b2u1')), close: true }, bench.toCall())
  clock.advance(DAY_MS)
  await editAlarm({ ...(await find('R-b2u2')), close: true }, bench.toCall())

  // Alarms that another transaction has locked would be skipped.
  await bench.stop()
  const inHours = (hours: number) => start + hours * HOUR_MS
  expect(await removeEndedAlarms(db, inHours(-1), 10)).toBe(0)
  expect(await removeEndedAlarms(db, inHours(1), 10)).toBe(1)
  await bench.becomes(['room-cold R-b2u2 ended', 'room-cold R-b3u1 active'])
  expect(await removeEndedAlarms(db, inHours(25), 10)).toBe(1)
  await bench.becomes(['room-cold R-b3u1 active'])
  const log = await getAlarmLog({ nodes: [], filter: [], limiter: firstPage }, bench.toCall())
  expect(new Set(log.datalist.map(({ deviceName }) => deviceName))).toEqual(new Set(['R-b3u1']))
})
