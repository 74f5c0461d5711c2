import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toMqttUsername } from '@isotherm/contract/mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { toGatewayPassword } from '../apps/server/src/platform/mqtt/gateway-access.ts'
import { startTestServer, type TestServer } from '../apps/server/src/testing/server.testkit.ts'

const SERIALS = ['C-b2', 'C-b3']

let server: TestServer
const folder = mkdtempSync(join(tmpdir(), 'isotherm-simulate-'))
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

/** The list as the console exports it. */
function writeLogins(): string {
  const rows = SERIALS.map((gateway) => {
    const username = toMqttUsername('demo', gateway)
    const password = toGatewayPassword(server.config.mqtt.secret, { tenant: 'demo', gateway })
    return [gateway, gateway, username, username, password, '', ''].join(',')
  })
  const file = join(folder, 'passwords.csv')
  writeFileSync(file, ['name,serial,user name,client id,password,up,down', ...rows, ''].join('\r\n'))
  return file
}

test('simulated devices of an exported list report to a server, and say so when they end', async () => {
  const words = ['--url', `mqtt://127.0.0.1:${server.mqttPort}`, '--logins', writeLogins(), '--interval', '1']
  const program = join(import.meta.dirname, 'device-simulate.ts')
  const child = spawn(process.execPath, [program, ...words, '--data', join(folder, 'data')], {
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const ids = await Promise.all(SERIALS.map((serial) => server.deviceId(serial)))
  const countReporting = async (): Promise<number> => {
    const answer = await server.clickhouse.query({
      query: 'SELECT uniqExact(device) FROM readings WHERE device IN {ids: Array(UInt32)}',
      query_params: { ids },
      format: 'JSONCompactEachRow',
    })
    return z.array(z.tuple([z.coerce.number()])).parse(await answer.json())[0]?.[0] ?? 0
  }
  await expect.poll(countReporting).toBe(SERIALS.length)
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
