import { once } from 'node:events'
import { permissions } from '@isotherm/contract/access/permissions'
import { type CampaignDetail, campaignDetail } from '@isotherm/contract/balancing/campaign'
import { toUrlPath } from '@isotherm/contract/endpoint'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { type LiveEvent, liveEvent } from '@isotherm/contract/live'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { readWorkbook } from '../../transfer/transfer.testkit.ts'
import { measureStation } from '../plan/measured-station.testkit.ts'

let server: TestServer
const tokens = new Map<string, string>()

const OF_RETURN = { kind: 'temperature', target: 'return' } as const
const OF_FLOW = { kind: 'flow' } as const
const limiter = { page: 1, size: 100 }

beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('planner', permissions, ['s1'])
  await server.createAccount('block', permissions, ['b2'])
  await server.createAccount('elsewhere', permissions, ['s2'])
  await server.createAccount('watcher', ['pe-egmonitor'], ['s1'])
  await server.createAccount('flow', ['pe-fmcontrol', 'pe-flowmonitor'], ['s1'])
  await server.createAccount('valves', ['pe-fmcontrol'], ['s1'])
  for (const account of ['planner', 'block', 'elsewhere', 'watcher', 'flow', 'valves'])
    tokens.set(account, (await server.logIn(account))['ht-api'])
  await measureStation(server)
})
afterAll(() => server.stop())

const call = (account: string, name: EndpointName, input: unknown) =>
  server.call(endpoints[name], input, tokens.get(account))

async function callOk(account: string, name: EndpointName, input: unknown): Promise<CampaignDetail> {
  const { code, text, data } = await call(account, name, input)
  if (code !== undefined) throw new Error(`${name}: ${code} ${text}`)
  return campaignDetail.parse(data)
}

const add = async (account: string, key: string, mode: unknown = OF_RETURN): Promise<CampaignDetail> =>
  callOk(account, 'addCampaign', { node: await server.nodeKey(key), mode })

async function listIds(account: string, query: object): Promise<readonly number[]> {
  const { data } = await call(account, 'getCampaigns', { ...query, limiter })
  return endpoints.getCampaigns.output.parse(data).datalist.map(({ id }) => id)
}

test('the balance of a loop includes the valves in the caller’s scope only', async () => {
  const node = await server.nodeKey('s1')
  const seenBy = async (account: string) => {
    const { data } = await call(account, 'getBalance', { node })
    return endpoints.getBalance.output.parse(data)
  }
  const all = await seenBy('planner')
  expect(all.valves.map(({ deviceName }) => deviceName).toSorted()).toEqual([
    'V-b10u1',
    'V-b10u2',
    'V-b2u1',
    'V-b2u2',
  ])
  expect(all.indices.sigmaReturnK).toBeGreaterThan(1)
  // One flow is 1.5 times the other, which is more than twice the loss.
  expect(all.indices.loopPressureDifference).toBeGreaterThan(0.3)
  expect(all.indices.hydraulicStability).toBeGreaterThan(0.4)
  expect(all.indices.hydraulicStability).toBeLessThan(1)
  const some = await seenBy('block')
  expect(some.valves.map(({ deviceName }) => deviceName).toSorted()).toEqual(['V-b2u1', 'V-b2u2'])
  expect(some.indices.sigmaReturnK).not.toBe(all.indices.sigmaReturnK)
  // A caller with a grant of one building has no access to the station's controller and its pump.
  expect(all.stationDeviceId).toBeGreaterThan(0)
  expect(some).not.toHaveProperty('stationDeviceId')
})

test('a plan is a draft that moves nothing, with the allowed actions of each caller', async () => {
  const draft = await add('planner', 'a1')
  expect(draft).toMatchObject({
    state: 'draft',
    stationName: '一号站',
    nodeName: '东区',
    createdBy: 'planner',
  })
  expect(draft.abilities.toSorted()).toEqual(['approve', 'discard', 'replan'])
  expect(draft.members).toHaveLength(4)
  const { before, expected, best, worst } = draft.indices
  expect(best?.sigmaReturnK).toBeLessThan(expected.sigmaReturnK ?? 0)
  expect(best?.withinOneK).toBeGreaterThanOrEqual(expected.withinOneK ?? 1)
  expect(expected.sigmaReturnPerDrop).toBeLessThan(before.sigmaReturnPerDrop ?? 0)
  expect(draft.movesMade).toBe(0)
  expect(expected.loopPressureDifference).toBeLessThan(0.5 * (before.loopPressureDifference ?? 0))
  expect(expected.movesPerValve).toBe(draft.moves / draft.valves)
  expect(expected.travelPerValve).toBeGreaterThan(0)
  expect(before).not.toHaveProperty('movesPerValve')
  expect(worst?.sigmaReturnK).toBeGreaterThan(expected.sigmaReturnK ?? Number.NaN)
  expect(worst?.withinOneK).toBeLessThanOrEqual(1)
  for (const { returnC = 0, returnLowC, returnHighC } of draft.members.map((member) => member.expected)) {
    expect(returnLowC).toBeLessThanOrEqual(returnC)
    expect(returnHighC).toBeGreaterThanOrEqual(returnC)
    expect((returnHighC ?? 0) - (returnLowC ?? 0)).toBeGreaterThan(0.1)
  }
  expect(draft.history).toMatchObject([{ event: 'plan', by: 'planner' }])
  expect(await server.db.selectFrom('command').selectAll().execute()).toEqual([])
  expect((await callOk('watcher', 'getCampaign', { id: draft.id })).abilities).toEqual([])
  expect((await callOk('flow', 'getCampaign', { id: draft.id })).abilities).toEqual([])
})

test('a plan of the proportional loop moves each valve part of the way and keeps the pump; only for returns', async () => {
  const mode = { ...OF_RETURN, method: 'proportional' }
  const draft = await add('planner', 'a1', mode)
  expect(draft.mode).toEqual(mode)
  expect(draft.moves).toBeGreaterThan(0)
  expect(draft.station).not.toHaveProperty('pump')
  const mean = draft.common ?? Number.NaN
  for (const { before, expected } of draft.members) {
    const move = (expected.openingPct ?? 0) - (before.openingPct ?? 0)
    expect(Math.abs(move)).toBeLessThanOrEqual(12)
    if (move !== 0) expect(Math.sign(move)).toBe(Math.sign(mean - (before.returnC ?? Number.NaN)))
  }
  const node = await server.nodeKey('a1')
  for (const wrong of [
    { ...mode, target: 'room' },
    { ...mode, method: 'slow-trim' },
  ])
    expect((await call('planner', 'addCampaign', { node, mode: wrong })).code).toBe('request.malformed')
})

test('planning requires the page of the kind and the right to control valves', async () => {
  const node = await server.nodeKey('a1')
  for (const account of ['watcher', 'valves', 'flow'])
    expect((await call(account, 'addCampaign', { node, mode: OF_RETURN })).code, account).toBe(
      'access.denied',
    )
  const { id, version, abilities } = await add('flow', 'a1', OF_FLOW)
  expect(abilities).toContain('discard')
  const draft = await add('planner', 'a1')
  const seen = { id: draft.id, version: draft.version }
  for (const name of ['replanCampaign', 'approveCampaign', 'discardCampaign'] as const)
    expect((await call('flow', name, seen)).code, name).toBe('access.denied')
  expect((await callOk('flow', 'discardCampaign', { id, version })).state).toBe('discarded')
})

test('a campaign is listed at, above and below nodes, for callers with a grant of its whole node', async () => {
  const area = await add('planner', 'a1')
  const block = await add('planner', 'b2')
  const at = async (account: string, key: string) => {
    const ids = await listIds(account, { nodes: [await server.nodeKey(key)] })
    return ids.filter((id) => id === area.id || id === block.id)
  }
  expect(await at('planner', 's1')).toEqual([block.id, area.id])
  expect(await at('planner', 'a1')).toEqual([block.id, area.id])
  expect(await at('planner', 'b2')).toEqual([block.id, area.id])
  expect(await at('planner', 'b10')).toEqual([area.id])
  expect(await listIds('block', {})).toContain(block.id)
  expect(await listIds('block', {})).not.toContain(area.id)
  expect(await listIds('elsewhere', {})).toEqual([])
  expect((await call('block', 'getCampaign', { id: area.id })).code).toBe('campaign.not-found')
  expect(await listIds('planner', { kinds: ['flow'], states: ['draft'] })).not.toContain(area.id)
})

test('a change needs the newest version, and is in the operation log', async () => {
  const { id, version } = await add('planner', 'a1')
  await callOk('planner', 'replanCampaign', { id, version })
  for (const name of ['replanCampaign', 'approveCampaign', 'trimCampaign'] as const)
    expect((await call('planner', name, { id, version })).code, name).toBe('entity.stale')
  const now = (await callOk('planner', 'getCampaign', { id })).version
  for (const name of ['pauseCampaign', 'trimCampaign', 'acceptCampaign', 'rollbackCampaign'] as const)
    expect((await call('planner', name, { id, version: now })).code, name).toBe('campaign.not-now')
  await callOk('planner', 'discardCampaign', { id, version: now })
  const noted = await server.db
    .selectFrom('operation_change')
    .innerJoin('operation', 'operation.id', 'operation_id')
    .where('entity', '=', 'campaign')
    .where('entity_id', '=', String(id))
    .orderBy('operation_change.id')
    .select(['endpoint', 'account', 'action', 'path'])
    .execute()
  const by = { account: 'planner', path: await server.pathOf('a1') }
  expect(noted).toEqual([
    { ...by, endpoint: 'addCampaign', action: 'added' },
    { ...by, endpoint: 'replanCampaign', action: 'changed' },
    { ...by, endpoint: 'discardCampaign', action: 'changed' },
  ])
})

test('a refusal of any wave is found at the approval, and nothing starts', async () => {
  const draft = await add('planner', 'a1')
  const seen = { id: draft.id, version: draft.version }
  const moved = draft.members.find(({ before, expected }) => before.openingPct !== expected.openingPct)
  const node = await server.nodeKey('s1')
  const limit = async (maxStepPct?: number) => {
    const { data } = await call('planner', 'getControlLimits', { nodes: [node] })
    const [{ version } = { version: 0 }] = endpoints.getControlLimits.output.parse(data).datalist
    const set = await call('planner', 'setControlLimits', {
      node,
      version,
      ...(maxStepPct ? { maxStepPct } : {}),
    })
    expect(set.code).toBeUndefined()
  }
  await limit(1)
  const { code, text } = await call('planner', 'approveCampaign', seen)
  expect(code).toBe('command.outside-limits')
  expect(text).toContain(moved?.deviceName)
  expect((await callOk('planner', 'getCampaign', { id: draft.id })).state).toBe('draft')
  await limit()
  expect((await callOk('planner', 'approveCampaign', seen)).state).toBe('executing')
  const { version } = await callOk('planner', 'getCampaign', { id: draft.id })
  await callOk('planner', 'rollbackCampaign', { id: draft.id, version })
})

test('a draft must be planned again if its valves got a command since', async () => {
  const draft = await add('planner', 'b10')
  const moved = draft.members.find(({ before, expected }) => before.openingPct !== expected.openingPct)
  const targets = [{ deviceId: moved?.deviceId, openingPct: 55 }]
  expect((await call('planner', 'publishMqCtlCmd', { targets, reason: 'cold' })).code).toBeUndefined()
  const { id, version } = draft
  const { code, text } = await call('planner', 'approveCampaign', { id, version })
  expect(code).toBe('campaign.outdated')
  expect(text).toContain(moved?.deviceName)
  const anew = await callOk('planner', 'replanCampaign', { id, version })
  await callOk('planner', 'discardCampaign', { id, version: anew.version })
})

async function listen(account: string): Promise<readonly LiveEvent[]> {
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/live`)
  const events: LiveEvent[] = []
  socket.on('message', (data) => events.push(liveEvent.parse(JSON.parse(data.toString()))))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', token: tokens.get(account) }))
  await expect.poll(() => events.length).toBeGreaterThan(0)
  return events
}

test('progress is pushed live to every caller with the page and a grant of the node', async () => {
  const received = new Map<string, readonly LiveEvent[]>()
  const everybody = ['planner', 'watcher', 'block', 'elsewhere', 'valves']
  for (const account of everybody) received.set(account, await listen(account))
  const { id, version, node } = await add('planner', 'a1')
  const discarded = await callOk('planner', 'discardCampaign', { id, version })
  const eventsOf = (account: string) => received.get(account)?.filter((event) => event.type === 'campaign')
  // Events of one moment have no order: the last change of an earlier test may be among them.
  for (const account of ['planner', 'watcher'])
    await expect
      .poll(() => eventsOf(account)?.findLast((campaign) => campaign.id === id))
      .toMatchObject({ node, state: 'discarded', version: discarded.version })
  for (const account of ['block', 'elsewhere', 'valves']) expect(eventsOf(account), account).toEqual([])
})

test('the report of a campaign is a workbook in the requested language', async () => {
  const { id } = await add('planner', 'a1')
  for (const [language, sheet] of [
    ['zh', '方案'],
    ['en', 'Plan'],
  ] as const) {
    const response = await fetch(new URL(toUrlPath(endpoints.exportCampaign), server.base), {
      method: 'POST',
      headers: { Authorization: `Bearer ${tokens.get('watcher')}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ id, language }),
    })
    if (!response.body) throw new Error('nothing came')
    const sheets = await readWorkbook(response.body)
    expect(JSON.stringify(sheets)).toContain('V-b2u1')
    expect(JSON.stringify(sheets)).toContain(sheet)
  }
})

test('a campaign with a plan of another server version shows what is known, and cannot be approved or trimmed', async () => {
  const draft = await add('planner', 'a1')
  const { id, version, indices, moves, history } = draft
  const round = server.db.updateTable('campaign_round').where('campaign_id', '=', id)
  await round.set({ format: 99 }).execute()
  const seen = await callOk('planner', 'getCampaign', { id })
  expect(seen).toMatchObject({ state: 'draft', indices, moves, history })
  expect(seen).toMatchObject({ members: [], station: { before: {}, expected: {} } })
  expect([seen.flows, seen.settleMs]).toEqual([undefined, undefined])
  expect(seen.abilities.toSorted()).toEqual(['discard', 'replan'])
  const { data } = await call('planner', 'getCampaigns', { states: ['draft'], limiter })
  const listed = endpoints.getCampaigns.output.parse(data).datalist.find((other) => other.id === id)
  expect(listed?.abilities).toEqual(seen.abilities)
  expect((await call('planner', 'approveCampaign', { id, version })).code).toBe('campaign.not-now')
  expect((await call('planner', 'exportCampaign', { id, language: 'zh' })).http).toBe(200)
  // A new plan has the format of this version.
  const again = await callOk('planner', 'replanCampaign', { id, version })
  expect(again.abilities).toContain('approve')
  await round.set({ format: 99 }).execute()
  const campaign = server.db.updateTable('campaign').where('id', '=', id)
  await campaign.set({ state: 'verified' }).execute()
  const verified = await callOk('planner', 'getCampaign', { id })
  expect(verified.abilities.toSorted()).toEqual(['accept', 'rollback'])
  const last = { id, version: verified.version }
  expect((await call('planner', 'trimCampaign', last)).code).toBe('campaign.not-now')
  expect((await callOk('planner', 'acceptCampaign', last)).state).toBe('accepted')
})

test('open campaigns are counted by state in the metrics', async () => {
  await add('planner', 'a1')
  const text = await (await fetch(new URL('/metrics', server.base))).text()
  expect(text).toMatch(/isotherm_campaigns_open\{state="draft"\} [1-9]/)
  expect(text).toMatch(/isotherm_campaigns_open\{state="executing"\} 0/)
  expect(text).not.toContain('state="discarded"')
})
