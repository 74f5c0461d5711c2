import { command } from '@isotherm/contract/command'
import { endpoints } from '@isotherm/contract/endpoints/all'
import { toMqttUsername } from '@isotherm/contract/mqtt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toGatewayPassword } from '../apps/server/src/platform/mqtt/gateway-access.ts'
import { startTestServer, type TestServer } from '../apps/server/src/testing/server.testkit.ts'
import { createClientProcess, referenceClients, startNetwork } from './run-client.testkit.ts'

/** Each client is another concentrator of the small registry. */
const places = [
  { gateway: 'C-b2', valve: 'V-b2u1' },
  { gateway: 'C-b3', valve: 'V-b3u1' },
] as const
const numbers = z.array(z.tuple([z.coerce.number(), z.coerce.number()]))
const commands = z.object({ datalist: z.array(command) })

/** Starts of all clients so far: each attempt of a test continues where the last one ended. */
let starts = 0
/** Numbers of the two starts of a test. */
function takeStarts(): readonly [number, number] {
  starts += 2
  return [starts - 1, starts]
}

/** A client that starts, connects and sends its store, a message a second, also on a busy machine. */
const SLOWLY = { timeout: 60_000 }
/** Longest time of a test with several such waits, ms. */
const LONGEST_MS = 240_000

let server: TestServer
let token = ''
let keeper = ''
beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('engineer', ['pe-fmreal', 'pe-fmcontrol'], ['p'])
  token = (await server.logIn('engineer'))['ht-api']
  await server.createAccount('keeper', ['pd-datadevmanager'], ['p'])
  keeper = (await server.logIn('keeper'))['ht-api']
})
afterAll(() => server.stop())

/** Boot and number of the messages of a valve that are in the store. */
async function listStored(valve: string): Promise<readonly string[]> {
  const answer = await server.clickhouse.query({
    query: 'SELECT DISTINCT boot, seq FROM readings WHERE device = {device: UInt32} ORDER BY boot, seq',
    query_params: { device: await server.deviceId(valve) },
    format: 'JSONCompactEachRow',
  })
  return numbers.parse(await answer.json()).map(([boot, seq]) => `${boot}:${seq}`)
}

/** The present password of a gateway. */
async function findPassword(gateway: string): Promise<string> {
  const device = server.db.selectFrom('device').select('login_version').where('serial', '=', gateway)
  const { login_version: version } = await device.executeTakeFirstOrThrow()
  return toGatewayPassword(server.config.mqtt.secret, { tenant: 'demo', gateway }, version)
}

async function findState(valve: string): Promise<string | undefined> {
  const input = { deviceIds: [await server.deviceId(valve)] }
  const { data } = await server.call(endpoints.getCtlLogCmdLast, input, token)
  return commands.parse(data).datalist[0]?.state
}

describe.each(referenceClients.map((client, index) => ({ client, place: places[index], name: client.name })))(
  'the reference client in $name',
  ({ client, place }) => {
    test.skipIf(!client.canRun)(
      'connects by a one-time token, and then with its own password',
      async () => {
        if (!place) throw new Error('no concentrator for this client')
        const { gateway, valve } = place
        const network = await startNetwork(server.mqttPort ?? 0)
        const target = { id: await server.deviceId(gateway) }
        // A second attempt finds the password of the first one seen.
        const { data } = await server.call(endpoints.makeConnectionToken, { ...target, renew: true }, keeper)
        const { username, token: password } = endpoints.makeConnectionToken.output.parse(data)
        const login = { port: network.port, username, password, valve }
        const [first, second] = takeStarts()
        const device = createClientProcess(client, login, { boot: first - 1, intervalS: 0.5, strokeS: 0.2 })
        device.start()
        const findToken = async () => {
          const state = await server.call(endpoints.getGatewayLogin, target, keeper)
          return endpoints.getGatewayLogin.output.parse(state.data).token
        }
        await expect.poll(async () => (await findToken())?.spentAt, SLOWLY).toBeDefined()
        await expect.poll(() => listStored(valve), SLOWLY).toContain(`${first}:0`)
        // After a restart it has only what it stored; the configured token is void.
        await device.kill()
        device.start()
        await expect.poll(() => listStored(valve), SLOWLY).toContain(`${second}:1`)
        await device.close()
        await network.close()
      },
      LONGEST_MS,
    )

    test.skipIf(!client.canRun)(
      'reports, confirms a command, and sends after a kill what was not acknowledged',
      async () => {
        if (!place) throw new Error('no concentrator for this client')
        const { gateway, valve } = place
        const network = await startNetwork(server.mqttPort ?? 0)
        const login = {
          port: network.port,
          username: toMqttUsername('demo', gateway),
          password: await findPassword(gateway),
          valve,
        }
        const [first, second] = takeStarts()
        const device = createClientProcess(client, login, { boot: first - 1, intervalS: 0.5, strokeS: 0.2 })
        device.start()
        await expect.poll(() => listStored(valve), SLOWLY).toContain(`${first}:2`)

        const targets = [{ deviceId: await server.deviceId(valve), openingPct: 55 }]
        const order = await server.call(endpoints.publishMqCtlCmd, { targets, reason: 'test' }, token)
        expect(order.code).toBeUndefined()
        await expect.poll(() => findState(valve)).toBe('confirmed')

        network.cut()
        await expect.poll(() => device.readState().stored.length).toBeGreaterThan(3)
        await device.kill()
        const left = device.readState().stored.map(({ boot, seq }) => `${boot}:${seq}`)
        expect(left.every((key) => key.startsWith(`${first}:`))).toBe(true)
        network.repair()
        device.start()
        await expect
          .poll(() => listStored(valve), SLOWLY)
          .toEqual(expect.arrayContaining([...left, `${second}:0`]))
        // The acknowledgement of the earlier boot empties its part of the store.
        await expect
          .poll(() => device.readState().stored.filter(({ boot }) => boot === first), SLOWLY)
          .toEqual([])

        await device.close()
        await network.close()
      },
      LONGEST_MS,
    )
  },
)
