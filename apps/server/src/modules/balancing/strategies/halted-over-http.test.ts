import { once } from 'node:events'
import { permissions } from '@isotherm/contract/access/permissions'
import { strategyDetail } from '@isotherm/contract/balancing/strategies'
import { type EndpointName, endpoints } from '@isotherm/contract/endpoints/all'
import { type LiveEvent, liveEvent } from '@isotherm/contract/live'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { startTestServer, type TestServer } from '../../../testing/server.testkit.ts'
import { measureStation } from '../plan/measured-station.testkit.ts'
import { byReturns } from './strategies.testkit.ts'

let server: TestServer
let beside: TestServer | undefined
const sockets: WebSocket[] = []

beforeAll(async () => {
  server = await startTestServer()
  await measureStation(server)
})
afterAll(async () => {
  for (const socket of sockets) socket.terminate()
  await beside?.stop()
  await server.stop()
})

const tokenOf = async (account: string) => (await server.logIn(account))['ht-api']

async function listen(token: string): Promise<readonly LiveEvent[]> {
  const events: LiveEvent[] = []
  const socket = new WebSocket(new URL('/live', server.base.replace('http', 'ws')))
  sockets.push(socket)
  socket.on('message', (data) => events.push(liveEvent.parse(JSON.parse(data.toString()))))
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'hello', token }))
  await expect.poll(() => events.length).toBeGreaterThan(0)
  return events
}

const toHalts = (events: readonly LiveEvent[]) =>
  events.flatMap((event) =>
    event.type === 'alarm' && event.alarm?.kind === 'strategy-halted' ? [event.alarm] : [],
  )

test('every reader of the node is notified of a halt at once, with one alarm for two servers, and of its end', async () => {
  const keeper = await server.createAccount('keeper', permissions, ['s1'])
  await server.createAccount('desk', ['pr-rtalarm'], ['a1'])
  await server.createAccount('block', ['pr-rtalarm'], ['b2'])
  await server.createAccount('elsewhere', ['pr-rtalarm'], ['s2'])
  const token = await tokenOf('keeper')
  const desk = await listen(await tokenOf('desk'))
  const block = await listen(await tokenOf('block'))
  const elsewhere = await listen(await tokenOf('elsewhere'))
  beside = await startTestServer({ beside: server })

  const callOk = async (name: EndpointName, input: unknown, who = token) => {
    const { code, text, data } = await server.call(endpoints[name], input, who)
    if (code !== undefined) throw new Error(`${name}: ${code} ${text}`)
    return strategyDetail.parse(data)
  }
  const node = await server.nodeKey('a1')
  // Within its dead band it starts nothing; its next tick finds that its starter is gone.
  const { id, version } = await callOk('addStrategy', { node, plan: { ...byReturns, startAboveK: 10 } })
  const started = await callOk('startStrategy', { id, version })
  await server.db.updateTable('account').set({ enabled: false }).where('id', '=', keeper).execute()
  // A tick that is under way stores when it looks next, so it is made due until it has looked.
  const lookNow = () => server.db.updateTable('strategy').set({ look_ms: 0 }).where('id', '=', id).execute()

  await expect
    .poll(
      async () => {
        if (toHalts(desk).length === 0) await lookNow()
        return toHalts(desk)
      },
      { timeout: 60_000, interval: 500 },
    )
    .toMatchObject([
      { kind: 'strategy-halted', state: 'active', node, balance: { kind: 'temperature', strategy: id } },
    ])
  await server.createAccount('other', permissions, ['s1'])
  const other = await tokenOf('other')
  const halted = await callOk('getStrategy', { id }, other)
  expect(halted).toMatchObject({ state: 'paused', last: { kind: 'access-lost' } })

  await callOk('endStrategy', { id, version: halted.version }, other)
  await expect.poll(() => toHalts(desk).at(-1)?.state).toBe('cleared')
  expect(new Set(toHalts(desk).map((alarm) => alarm.id)).size).toBe(1)
  expect([toHalts(block), toHalts(elsewhere)]).toEqual([[], []])
  expect(started.startedBy).toBe('keeper')
})
