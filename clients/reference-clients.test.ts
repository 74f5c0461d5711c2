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

let server: TestServer
let token = ''
beforeAll(async () => {
  server = await startTestServer()
  await server.createAccount('engineer', ['pe-fmreal', 'pe-fmcontrol'], ['p'])
  token = (await server.logIn('engineer'))['ht-api']
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

async function findState(valve: string): Promise<string | undefined> {
  const input = { deviceIds: [await server.deviceId(valve)] }
  const { data } = await server.call(endpoints.getCtlLogCmdLast, input, token)
  return commands.parse(data).datalist[0]?.state
}

describe.each(referenceClients.map((client, index) => ({ client, place: places[index], name: client.name })))(
  'the reference client in $name',
  ({ client, place }) => {
    test.skipIf(!client.canRun)(
      'reports, confirms a command, and sends after a kill what was not acknowledged',
      async () => {
        if (!place) throw new Error('no concentrator for this client')
        const { gateway, valve } = place
        const network = await startNetwork(server.mqttPort ?? 0)
        const login = {
          port: network.port,
          username: toMqttUsername('demo', gateway),
          password: toGatewayPassword(server.config.mqtt.secret, { tenant: 'demo', gateway }),
          valve,
        }
        const device = createClientProcess(client, login, { intervalS: 0.5, strokeS: 0.2 })
        device.start()
        await expect.poll(() => listStored(valve)).toContain('1:2')

        const targets = [{ deviceId: await server.deviceId(valve), openingPct: 55 }]
        const order = await server.call(endpoints.publishMqCtlCmd, { targets, reason: 'test' }, token)
        expect(order.code).toBeUndefined()
        await expect.poll(() => findState(valve)).toBe('confirmed')

        network.cut()
        await expect.poll(() => device.readState()?.stored.length ?? 0).toBeGreaterThan(3)
        await device.kill()
        const left = device.readState()?.stored.map(({ boot, seq }) => `${boot}:${seq}`) ?? []
        expect(left.every((key) => key.startsWith('1:'))).toBe(true)
        network.repair()
        device.start()
        await expect.poll(() => listStored(valve)).toEqual(expect.arrayContaining([...left, '2:0']))
        // The acknowledgement of the earlier boot empties its part of the store.
        await expect.poll(() => device.readState()?.stored.filter(({ boot }) => boot === 1)).toEqual([])

        await device.close()
        await network.close()
      },
    )
  },
)
