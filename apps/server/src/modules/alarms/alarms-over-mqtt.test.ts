import { once } from 'node:events'
import type { Permission } from '@isotherm/contract/access/permissions'
import { alarmKinds } from '@isotherm/contract/alarms/alarm-kinds'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { getAlarms } from '@isotherm/contract/endpoints/monitoring/alarms'
import { type LiveEvent, liveEvent } from '@isotherm/contract/live'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { type ConnectedGateway, connectGateway } from '../../testing/connect-gateway.testkit.ts'
import { startTestServer, type TestServer } from '../../testing/server.testkit.ts'

let server: TestServer
let gateway: ConnectedGateway
const sockets: WebSocket[] = []
let seq = 0

beforeAll(async () => {
  server = await startTestServer()
  gateway = await connectGateway(server, 'C-b2')
})
afterAll(async () => {
  for (const socket of sockets) socket.terminate()
  await gateway.leave()
  await server.stop()
})

/** The concentrator sends a room temperature, °C, measured at `ts`, Unix ms; resolves when it is stored. */
async function send(
  channel: 'telemetry' | 'history',
  serial: string,
  roomC: number,
  ts: number,
): Promise<void> {
  const d = [{ id: serial, ts, m: { 'temp.room': roomC } }]
  await gateway.send(channel, { v: 1, boot: 1, seq: seq++, ts: Date.now(), d })
}

/** Events of a connected client without subscriptions. */
async function watch(
  account: string,
  permissions: readonly Permission[],
  granted: string,
): Promise<LiveEvent[]> {
  await server.createAccount(account, permissions, [granted])
  const tokens = await server.logIn(account)
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/live`)
  sockets.push(socket)
  const events: LiveEvent[] = []
  socket.on('message', (data) => events.push(liveEvent.parse(JSON.parse(String(data)))))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', token: tokens['ht-api'] }))
  await expect.poll(() => events.map(({ type }) => type)).toContain('welcome')
  return events
}

const kindsOf = (events: readonly LiveEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === 'alarm' ? [`${event.alarm?.state} ${event.alarm?.imei}`] : []))

test('A10: a live reading raises an alarm for users in scope, and back-fill raises none', async () => {
  const handler = await watch('handler', ['pr-rtalarm', 'pe-fmcontrol'], 's1')
  const elsewhere = await watch('elsewhere', ['pr-rtalarm'], 's2')
  const without = await watch('without', ['pe-fmreal'], 's1')
  const token = (await server.logIn('handler'))['ht-api']
  const rule = {
    kind: 'room-cold',
    node: await server.nodeKey('s1'),
    deviceKinds: [],
    ...alarmKinds['room-cold'].standard,
    raiseAfterS: 0,
    clearAfterS: 0,
  }
  expect((await server.call(endpoints.addAlarmRule, rule, token)).code).toBeUndefined()
  const list = async () => {
    const answer = await server.call(getAlarms, { limiter: { page: 1, size: 10 } }, token)
    return getAlarms.output.parse(answer.data).datalist.map(({ imei, state }) => `${imei} ${state}`)
  }
  // Back-fill of a gateway after an outage, old and new: it does not show the current state.
  const now = Date.now()
  for (const ago of [HOUR_MS, 60_000, 0]) await send('history', 'R-b2u2', 5, now - ago)
  await expect
    .poll(async () => {
      // The rule reaches the engine by a signal.
      await send('telemetry', 'R-b2u1', 12, Date.now())
      return list()
    })
    .toEqual(['R-b2u1 active'])
  await expect.poll(() => kindsOf(handler)).toContain('active R-b2u1')
  await send('telemetry', 'R-b2u1', 22, Date.now())
  await expect.poll(list).toEqual(['R-b2u1 cleared'])
  await expect.poll(() => kindsOf(handler)).toContain('cleared R-b2u1')
  expect([kindsOf(elsewhere), kindsOf(without)]).toEqual([[], []])
  // An action on a node above the grants, or on the root, applies to the part inside the grants.
  const edit = async (node: string, actions: object) =>
    (await server.call(endpoints.editAlarms, { nodes: [node], ...actions }, token)).data
  expect(await edit(await server.nodeKey('p'), { comment: 'all of it' })).toEqual({ affected: 1 })
  expect(await edit('-1', { acknowledge: true })).toEqual({ affected: 1 })
  expect(
    (await server.call(endpoints.editAlarms, { nodes: [await server.nodeKey('s2')], close: true }, token))
      .code,
  ).toBe('node.not-found')
  expect(await list()).toEqual([])
})
