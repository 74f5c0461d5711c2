import { alarmKinds } from '@isotherm/contract/alarms/alarm-kinds'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type AlarmsBench, everyAlarm, startAlarmsBench } from '../alarms.testkit.ts'
import type { Alarms, ObservedStop } from '../index.ts'

let bench: AlarmsBench

beforeAll(async () => {
  bench = await startAlarmsBench()
})
afterAll(() => bench.close())
beforeEach(() => bench.clear())
afterEach(() => bench.stop())

const toHalt = async (key: string): Promise<ObservedStop> => ({
  what: 'strategy',
  nodeId: await bench.nodeId(key),
  path: await bench.pathOf(key),
  tenant: 'demo',
  balance: { kind: 'energy', strategy: 7, campaign: 12 },
})

/** Sets the stops and notifies the given replicas. */
function show(stops: readonly ObservedStop[], listening: readonly Alarms[]): void {
  bench.showStopped(stops)
  for (const alarms of listening) alarms.recordStops()
}

const listAll = async (alarms: Alarms) =>
  (await alarms.handlers.getAlarms(everyAlarm, bench.toCall())).datalist

test('A13: a stop is raised once, however many replicas see it, and names the strategy or campaign', async () => {
  const replicas = [await bench.start(), await bench.start()]
  const halt = await toHalt('a1')
  bench.pass(10)
  show([halt, { ...halt, what: 'campaign', balance: { kind: 'flow', campaign: 3 } }], replicas)
  await bench.becomes(['campaign-aborted 东区 active', 'strategy-halted 东区 active'])
  bench.pass(180)
  await bench.becomes(['campaign-aborted 东区 active', 'strategy-halted 东区 active'])
  const [first] = replicas
  expect(first && (await listAll(first))).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        kind: 'strategy-halted',
        severity: 'major',
        occurrences: 1,
        node: await bench.nodeKey('a1'),
        balance: halt.balance,
      }),
      expect.objectContaining({ kind: 'campaign-aborted', balance: { kind: 'flow', campaign: 3 } }),
    ]),
  )
})

test('A13: a stop without a running server is raised at the next start, and only once', async () => {
  bench.showStopped([await toHalt('a1')])
  bench.clock.advance(HOUR_MS)
  for (const _ of ['first', 'second', 'third']) {
    const alarms = await bench.start()
    await bench.becomes(['strategy-halted 东区 active'])
    bench.pass(120)
    expect(await listAll(alarms)).toMatchObject([{ occurrences: 1 }])
    await bench.stop()
  }
})

test('A13: a stop clears once the strategy continues, also without a server; the next halt is another occurrence', async () => {
  const first = await bench.start()
  show([await toHalt('a1')], [first])
  await bench.becomes(['strategy-halted 东区 active'])
  show([], [first])
  await bench.becomes(['strategy-halted 东区 cleared'])
  bench.pass(60)
  show([await toHalt('a1')], [first])
  await bench.becomes(['strategy-halted 东区 active'])
  expect(await listAll(first)).toMatchObject([{ occurrences: 2 }])
  await bench.stop()
  bench.showStopped([])
  await bench.start()
  await bench.becomes(['strategy-halted 东区 cleared'])
})

test.each([
  ['a stop', [], ['a1'], 'active', ['raised']],
  ['a continuation', ['a1'], [], 'cleared', ['raised', 'cleared']],
] as const)(
  'A13: %s is recorded once if a replica is notified by another before it reads the stops itself',
  async (_, before, after, state, outcomes) => {
    bench.showStopped(await Promise.all(before.map(toHalt)))
    const first = await bench.start()
    bench.clock.advance(1_000)
    const second = await bench.start()
    const received: unknown[] = []
    second.onChanged((event) => received.push(event?.alarm.state))
    show(await Promise.all(after.map(toHalt)), [first, second])
    bench.clock.advance(1_000)
    const advance = () => {
      bench.clock.advance(5)
      return received
    }
    await expect.poll(advance).toContain(state)
    bench.clock.advance(1_000)
    await bench.stop()
    const events = await bench.db.selectFrom('alarm_event').select('event').orderBy('id').execute()
    expect(events.map(({ event }) => event)).toEqual(outcomes)
  },
)

test('A13: a stop without a signal is found by the review', async () => {
  await bench.start()
  bench.showStopped([await toHalt('a1')])
  await bench.becomes(['strategy-halted 东区 active'])
})

test('an acknowledged halt sends no more notices, and ends when the strategy continues', async () => {
  const alarms = await bench.start()
  show([await toHalt('a1')], [alarms])
  await bench.becomes(['strategy-halted 东区 active'])
  const [{ id, version } = { id: 0, version: 0 }] = await listAll(alarms)
  await alarms.handlers.editAlarm({ id, version, acknowledge: true }, bench.toCall())
  bench.pass(180)
  await bench.becomes(['strategy-halted 东区 active-acknowledged'])
  show([], [alarms])
  await bench.becomes(['strategy-halted 东区 ended'])
})

test('A7: a disabled rule raises nothing, and a rule with a delay waits for it', async () => {
  const before = await bench.start()
  const { standard } = alarmKinds['strategy-halted']
  const add = async (key: string, settings: Partial<typeof standard>) =>
    before.handlers.addAlarmRule(
      { ...standard, ...settings, kind: 'strategy-halted', node: await bench.nodeKey(key), deviceKinds: [] },
      bench.toCall(),
    )
  await add('s1', { enabled: false })
  await add('s2', { raiseAfterS: 600, severity: 'critical' })
  // A rule applies once its signal arrives, on a busy machine after the first halt; at the latest at a start.
  await bench.stop()
  const alarms = await bench.start()
  show([await toHalt('a1'), await toHalt('a2')], [alarms])
  const listDelays = async () => {
    bench.pass(2)
    return bench.db.selectFrom('alarm_delay').select('phase').execute()
  }
  await expect.poll(listDelays).toEqual([{ phase: 'raising' }])
  bench.pass(480)
  await bench.becomes([])
  // A delay continues over a restart.
  await bench.stop()
  const after = await bench.start()
  bench.pass(180)
  await bench.becomes(['strategy-halted 西区 active'])
  expect(await listAll(after)).toMatchObject([{ severity: 'critical' }])
})

test('A5: a stop is suppressed by the alarm of a silent subtree around it, and shown when that is over', async () => {
  const alarms = await bench.start()
  const serials = ['b2', 'b10'].flatMap((building) => [
    `C-${building}`,
    ...[1, 2].flatMap((unit) => [`V-${building}u${unit}`, `R-${building}u${unit}`]),
  ])
  bench.setPresence(alarms, 'silent', serials)
  bench.pass(660)
  await bench.becomes(['subtree-silent 东区 active'])
  show([await toHalt('a1')], [alarms])
  await bench.becomes(['strategy-halted 东区 active behind', 'subtree-silent 东区 active'])
  bench.setPresence(alarms, 'present', serials)
  await bench.becomes(['strategy-halted 东区 active', 'subtree-silent 东区 cleared'])
})

test('a fault of irrigation is raised at its node, and clears when it is over', async () => {
  const alarms = await bench.start()
  const { balance: _, ...place } = await toHalt('a1')
  show([{ ...place, what: 'irrigation-stuck' }], [alarms])
  await bench.becomes(['irrigation-stuck 东区 active'])
  expect(await listAll(alarms)).toMatchObject([{ severity: 'critical', node: await bench.nodeKey('a1') }])
  show([], [alarms])
  await bench.becomes(['irrigation-stuck 东区 cleared'])
})

test('only users with access to the node see the alarm', async () => {
  const alarms = await bench.start()
  show([await toHalt('a1')], [alarms])
  await bench.becomes(['strategy-halted 东区 active'])
  const countFor = async (key: string): Promise<number> => {
    const scope = { kind: 'paths', paths: [await bench.pathOf(key)] } as const
    const query = everyAlarm
    return (await alarms.handlers.getAlarms(query, bench.toCall(scope))).datalist.length
  }
  const keys = ['c', 's1', 'a1', 'b2', 's2']
  expect(await Promise.all(keys.map(countFor))).toEqual([1, 1, 1, 0, 0])
})

test('A7: an alarm that cleared outside of the hours of its rule is raised again as the same alarm', async () => {
  const alarms = await bench.start()
  show([await toHalt('a1')], [alarms])
  await bench.becomes(['strategy-halted 东区 active'])
  const { standard } = alarmKinds['strategy-halted']
  const node = await bench.nodeKey('s1')
  const { id, version } = await alarms.handlers.addAlarmRule(
    { ...standard, enabled: false, kind: 'strategy-halted', node, deviceKinds: [] },
    bench.toCall(),
  )
  await bench.becomes(['strategy-halted 东区 cleared'])
  await bench.stop()
  const after = await bench.start()
  await after.handlers.deleteAlarmRules({ items: [{ id, version }] }, bench.toCall())
  await bench.becomes(['strategy-halted 东区 active'])
  expect(await listAll(after)).toMatchObject([{ occurrences: 2 }])
})
