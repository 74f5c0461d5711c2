import { once } from 'node:events'
import { permissions } from '@isotherm/contract/access/permissions'
import { campaignDetail } from '@isotherm/contract/balancing/campaign'
import {
  type StrategyDetail,
  type StrategyPlan,
  strategyDetail,
} from '@isotherm/contract/balancing/strategies'
import { USUAL_PUMP_LIMITS } from '@isotherm/contract/command'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { type LiveEvent, liveEvent } from '@isotherm/contract/live'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { holdHead, measureStation } from '../plan/measured-station.testkit.ts'
import { byReturns } from './strategies.testkit.ts'

let server: TestServer
const tokens = new Map<string, string>()

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('planner', permissions, ['s1'])
  await server.createAccount('block', permissions, ['b2'])
  await server.createAccount('elsewhere', permissions, ['s2'])
  await server.createAccount('watcher', ['pe-sxmonitor'], ['s1'])
  await server.createAccount('returns', ['pe-fmcontrol', 'pe-egmonitor'], ['s1'])
  await server.createAccount('valves', ['pe-fmcontrol'], ['s1'])
  for (const account of ['planner', 'block', 'elsewhere', 'watcher', 'returns', 'valves'])
    tokens.set(account, (await server.logIn(account))['ht-api'])
  await measureStation(server)
})
afterAll(() => server.stop())

const call = (account: string, name: EndpointName, input: unknown) =>
  server.call(endpoints[name], input, tokens.get(account))

async function callOk(account: string, name: EndpointName, input: unknown): Promise<StrategyDetail> {
  const { code, text, data } = await call(account, name, input)
  if (code !== undefined) throw new Error(`${name}: ${code} ${text}`)
  return strategyDetail.parse(data)
}

/** Weekday of the day after tomorrow in the company's time zone, from 0 for Monday. */
const dayAfterTomorrow = (Math.floor((Date.now() / HOUR_MS + 8) / 24) + 3 + 2) % 7

/** One building has an eighth of its flow. In one slot, which is not today, it has the whole flow. */
const toSequence = async (nodes: readonly string[]): Promise<StrategyPlan> => ({
  kind: 'sequence',
  frostC: 5,
  groups: [
    {
      name: '二号楼',
      nodes: await Promise.all(nodes.map(server.nodeKey)),
      shiftMinutes: 15,
      base: { kind: 'flow', share: 0.125 },
      slots: [{ day: dayAfterTomorrow, fromMinute: 360, toMinute: 1_080, level: { kind: 'flow', share: 1 } }],
      preheat: { wantedC: 19, boostedC: 22, maxHours: 4 },
    },
  ],
})

async function preview(account: string, plan: StrategyPlan, at = 'a1') {
  const node = await server.nodeKey(at)
  const { code, text, data } = await call(account, 'previewStrategy', { node, plan })
  if (code !== undefined) throw new Error(`${code} ${text}`)
  return endpoints.previewStrategy.output.parse(data)
}

test('a dry run shows what a strategy would do now, and stores nothing', async () => {
  const found = await preview('planner', { ...byReturns, startAboveK: 0.5 })
  expect(found).toMatchObject({ stationName: '一号站', would: 'begin' })
  expect(found.index?.value).toBeGreaterThan(0.5)
  expect(found.members).toHaveLength(4)
  expect((await preview('planner', { ...byReturns, startAboveK: 10 })).would).toBe('within')
  const { data } = await call('planner', 'getStrategies', {})
  expect(endpoints.getStrategies.output.parse(data).total).toBe(0)
})

test('a dry run of the proportional loop shows its first round; only return temperatures can be its target', async () => {
  const proportional = { ...byReturns, startAboveK: 0.5, method: 'proportional' } as const
  const [round, model] = [await preview('planner', proportional), await preview('planner', byReturns)]
  expect(round).toMatchObject({ would: 'begin', moves: 4 })
  const widest = ({ members }: typeof round): number =>
    Math.max(...members.map(({ before, expected }) => Math.abs(expected.openingPct - before.openingPct)))
  // A tenth of the way, plus the dead travel of the motor.
  expect(widest(round)).toBeLessThanOrEqual(11)
  expect(widest(model)).toBeGreaterThan(11)
  const before = round.indices.before.sigmaReturnK ?? 0
  expect(round.indices.expected.sigmaReturnK).toBeLessThan(before)
  expect(round.indices.expected.sigmaReturnK).toBeGreaterThan(model.indices.expected.sigmaReturnK ?? before)
  const node = await server.nodeKey('a1')
  const plan = { ...proportional, target: 'room' }
  expect((await call('planner', 'previewStrategy', { node, plan })).code).toBe('request.malformed')
})

test('a dry run within the dead band shows the valves that a slow trim would move a day after a balance', async () => {
  const slow = { ...byReturns, startAboveK: 10, slowTrim: true } as const
  expect(await preview('planner', slow)).toMatchObject({ would: 'within' })
  const node = await server.nodeKey('a1')
  const { data } = await call('planner', 'addCampaign', {
    node,
    mode: { kind: 'temperature', target: 'return' },
  })
  const { id } = campaignDetail.parse(data)
  const endedBefore = (hours: number) =>
    server.db
      .updateTable('campaign')
      .set({ state: 'accepted', ended_ms: Date.now() - hours * HOUR_MS })
      .where('id', '=', id)
      .execute()
  await endedBefore(23)
  expect((await preview('planner', slow)).would).toBe('within')
  await endedBefore(25)
  const found = await preview('planner', slow)
  expect(found.would).toBe('slow-trim')
  expect(found.moves).toBeGreaterThan(0)
  for (const { before, expected } of found.members)
    expect(Math.abs(expected.openingPct - before.openingPct)).toBeLessThanOrEqual(10)
  expect(found.indices.expected.sigmaReturnK).toBeLessThan(found.indices.before.sigmaReturnK ?? 0)
  expect((await preview('planner', { ...slow, slowTrim: false })).would).toBe('within')
  await server.db.deleteFrom('campaign').where('id', '=', id).execute()
  for (const plan of [
    { ...slow, target: 'room' },
    { ...slow, method: 'proportional' },
  ])
    expect((await call('planner', 'previewStrategy', { node, plan })).code).toBe('request.malformed')
})

test('a dry run of a sequence plans every slot of the coming week for the whole loop', async () => {
  const { week, members, would } = await preview('planner', await toSequence(['b2']))
  expect(would).toBe('begin')
  expect(week?.timeZone).toBe('Asia/Shanghai')
  expect(week?.groups).toMatchObject([{ valves: 2, timeConstantH: 80, timeConstantBy: 'assumed' }])
  expect(week?.pumpStays).toBe('shared')
  const changes = week?.changes ?? []
  expect(changes.length).toBeGreaterThanOrEqual(2)
  for (const { headKpa, advisedHeadKpa, flowM3H } of changes) {
    expect(headKpa).toBeUndefined()
    expect(advisedHeadKpa).toBeGreaterThan(0)
    expect(flowM3H).toBeGreaterThan(0)
  }
  const early = changes.find(({ preheated }) => preheated.length > 0)
  expect((early?.preheated[0]?.slotAt ?? 0) - (early?.at ?? 0)).toBe(4 * HOUR_MS)
  const isOfGroup = (name: string) => name.startsWith('V-b2')
  const [low, full] = [true, false].map((isLow) => members.filter((m) => isOfGroup(m.deviceName) === isLow))
  const [shares, others] = [low, full].map((valves = []) =>
    valves.map(({ targetFlowM3H = 0, areaM2 }) => targetFlowM3H / areaM2),
  )
  for (const share of shares ?? []) for (const other of others ?? []) expect(share).toBeLessThan(other / 2)
})

test('without the outdoor temperature, sequences and heat targets by weather are refused', async () => {
  const other = await startTestServer()
  try {
    await other.createAccount('planner', permissions, ['s1'])
    const token = (await other.logIn('planner'))['ht-api']
    await measureStation(other, ['temp.outdoor'])
    const node = await other.nodeKey('a1')
    const ofLoop = async (plan: StrategyPlan) =>
      (await other.call(endpoints.previewStrategy, { node, plan }, token)).code
    const sequence = await toSequence(['b2'])
    const [group] = sequence.kind === 'sequence' ? sequence.groups : []
    if (!group) throw new Error('no group')
    const own = { ...group, nodes: [await other.nodeKey('b2')] }
    expect(await ofLoop({ kind: 'sequence', frostC: 8, groups: [own] })).toBe('balance.no-weather')
    const line = { cold: { outdoorC: -10, heatWM2: 45 }, mild: { outdoorC: 10, heatWM2: 15 } }
    const byWeather = { kind: 'energy', line, startAboveShare: 0.1, everyHours: 6, trims: 0 } as const
    expect(await ofLoop(byWeather)).toBe('balance.no-weather')
    expect(await ofLoop(byReturns)).toBeUndefined()
  } finally {
    await other.stop()
  }
})

test('a group with a place outside the strategy, or with a place of another group, is refused', async () => {
  const node = await server.nodeKey('b10')
  const elsewhere = await call('planner', 'addStrategy', { node, plan: await toSequence(['b2']) })
  expect(elsewhere.code).toBe('strategy.group-misplaced')
  const plan = await toSequence(['a1'])
  const [group] = plan.kind === 'sequence' ? plan.groups : []
  const other = { ...group, name: 'twice', nodes: [await server.nodeKey('b2')] }
  const twice = await call('planner', 'addStrategy', {
    node: await server.nodeKey('a1'),
    plan: { ...plan, groups: [group, other] },
  })
  expect(twice.code).toBe('strategy.group-misplaced')
})

test('a strategy requires the right to control, the page of the kind and the whole node', async () => {
  const node = await server.nodeKey('a1')
  const plan = await toSequence(['b2'])
  for (const name of ['addStrategy', 'previewStrategy'] as const) {
    expect((await call('returns', name, { node, plan })).code, name).toBe('access.denied')
    expect((await call('watcher', name, { node, plan })).code, name).toBe('access.denied')
    expect((await call('elsewhere', name, { node, plan })).code, name).toBe('node.not-found')
    expect((await call('block', name, { node, plan })).code, name).toBe('node.not-found')
  }
  const { id, version, abilities } = await callOk('planner', 'addStrategy', { node, plan })
  expect(abilities).toEqual(['change', 'start', 'end'])
  expect((await callOk('watcher', 'getStrategy', { id })).abilities).toEqual([])
  expect((await call('returns', 'startStrategy', { id, version })).code).toBe('access.denied')
  expect((await call('block', 'getStrategy', { id })).code).toBe('strategy.not-found')
})

test('a group with a line break in its name, which an older version stored, is read and corrected', async () => {
  const node = await server.nodeKey('a1')
  const plan = await toSequence(['b2'])
  const { id } = await callOk('planner', 'addStrategy', { node, plan })
  const named = (name: string) => ({
    ...plan,
    ...(plan.kind === 'sequence' && { groups: plan.groups.map((group) => ({ ...group, name })) }),
  })
  const old = JSON.stringify(named('二号\n楼'))
  await sql`update strategy set plan = ${old}::jsonb where id = ${id}`.execute(server.db)
  const stored = await callOk('planner', 'getStrategy', { id })
  expect(stored.plan).toEqual(named('二号\n楼'))
  const listed = await call('planner', 'getStrategies', { nodes: [node], limiter: { page: 1, size: 50 } })
  const { datalist } = endpoints.getStrategies.output.parse(listed.data)
  expect(datalist.find((each) => each.id === id)?.plan).toEqual(named('二号\n楼'))
  const update = (name: string) =>
    call('planner', 'updateStrategy', { id, version: stored.version, plan: named(name) })
  expect((await update('二号\n楼')).code).toBe('request.malformed')
  expect((await update('二号楼')).code).toBeUndefined()
  expect((await callOk('planner', 'getStrategy', { id })).plan).toEqual(named('二号楼'))
})

test('the history of a strategy is listed in pages, newest first, and the strategy itself includes the newest page', async () => {
  const node = await server.nodeKey('a1')
  const plan = { kind: 'temperature', target: 'return', startAboveK: 10, everyHours: 168, trims: 0 }
  const { id } = await callOk('planner', 'addStrategy', { node, plan })
  await sql`insert into strategy_event (strategy_id, at_ms, event, account)
    select ${id}, number, 'change', 'planner' from generate_series(1, 1200) number`.execute(server.db)
  const { history, historyTotal } = await callOk('planner', 'getStrategy', { id })
  expect(historyTotal).toBe(1_201)
  expect([history[0], history.at(-1)]).toMatchObject([{ at: 1_101 }, { at: 1_200 }])
  const pageOf = async (account: string, page: number) => {
    const { data } = await call(account, 'getStrategyHistory', { id, limiter: { page, size: 400 } })
    return endpoints.getStrategyHistory.output.parse(data)
  }
  const pages = await Promise.all([1, 2, 3, 4].map((page) => pageOf('watcher', page)))
  expect(pages.map(({ datalist, total }) => [datalist.length, total])).toEqual([
    ...[1, 2, 3].map(() => [400, 1_201]),
    [1, 1_201],
  ])
  expect(pages.flatMap(({ datalist }) => datalist).map(({ at }) => at)).toEqual([
    ...Array.from({ length: 1_200 }, (_, index) => 1_200 - index),
    expect.any(Number),
  ])
  expect(pages[3]?.datalist).toMatchObject([{ event: 'add', by: 'planner' }])
  for (const account of ['block', 'elsewhere'])
    expect((await call(account, 'getStrategyHistory', { id })).code, account).toBe('strategy.not-found')
  expect((await call('valves', 'getStrategyHistory', { id })).code).toBe('access.denied')
})

async function listen(account: string): Promise<readonly LiveEvent[]> {
  const events: LiveEvent[] = []
  const socket = new WebSocket(new URL('/live', server.base.replace('http', 'ws')))
  socket.on('message', (data) => events.push(liveEvent.parse(JSON.parse(data.toString()))))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', token: tokens.get(account) }))
  await expect.poll(() => events.length).toBeGreaterThan(0)
  return events
}

test('a started sequence starts its campaign by itself, and readers see it live', async () => {
  const received = new Map<string, readonly LiveEvent[]>()
  for (const account of ['planner', 'watcher', 'block', 'elsewhere', 'valves'])
    received.set(account, await listen(account))
  const node = await server.nodeKey('a1')
  const added = await callOk('planner', 'addStrategy', { node, plan: await toSequence(['b2']) })
  const { id } = added
  await callOk('planner', 'startStrategy', { id, version: added.version })
  const get = () => callOk('planner', 'getStrategy', { id })
  await expect.poll(async () => (await get()).campaign).toBeDefined()
  const { campaign, version, startedBy, history } = await get()
  expect(startedBy).toBe('planner')
  expect(history.map(({ event }) => event)).toEqual(['add', 'start', 'began'])
  const read = async () => {
    const { data } = await call('planner', 'getCampaign', { id: campaign })
    return endpoints.getCampaign.output.parse(data)
  }
  await expect.poll(async () => (await read()).state).toBe('executing')
  const begun = await read()
  expect(begun).toMatchObject({ strategy: id, createdBy: 'planner', mode: { kind: 'sequence' } })
  for (const { deviceName, before, expected } of begun.members)
    if (deviceName.startsWith('V-b2')) expect(expected.openingPct).toBeLessThan(before.openingPct)
  const eventsOf = (account: string) => received.get(account)?.filter((event) => event.type === 'strategy')
  // Events of one moment have no order: the last change of an earlier test may be among them.
  for (const account of ['planner', 'watcher'])
    await expect
      .poll(() => eventsOf(account)?.findLast((strategy) => strategy.id === id))
      .toMatchObject({ node, state: 'running' })
  for (const account of ['block', 'elsewhere', 'valves']) expect(eventsOf(account), account).toEqual([])
  expect(await callOk('planner', 'endStrategy', { id, version })).toMatchObject({
    state: 'ended',
    abilities: [],
  })
})

test('a dry run of a sequence has the head of every slot, or the reason why it is only advised', async () => {
  const plan = await toSequence(['b2', 'b10'])
  expect((await preview('planner', plan, 's1')).week?.pumpStays).toBe('no-control')
  await holdHead(server)
  const { week, station } = await preview('planner', plan, 's1')
  expect(week?.pumpStays).toBeUndefined()
  expect(week?.changes[0]?.headKpa).toBe(station.pump?.toKpa)
  for (const { headKpa } of week?.changes ?? []) {
    expect(headKpa).toBeGreaterThanOrEqual(USUAL_PUMP_LIMITS.minHeadKpa)
    expect(headKpa).toBeLessThan(station.before.headKpa ?? 0)
  }
})
