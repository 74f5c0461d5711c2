import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { addApiKey } from '@isotherm/contract/endpoints/administration/api-keys'
import { getDevs } from '@isotherm/contract/endpoints/devices/devices'
import { showGatewayLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { callFor, signInDirectly } from './api.ts'
import { getProductUrl } from './product-url.ts'

/**
 * Runs the gateway as a process of its own for a registered concentrator, with the configuration that the console saved. Returns the
 * function that ends it.
 */
export async function runGateway(imei: string): Promise<() => Promise<void>> {
  const { first, second } = await signInDirectly('administrator')
  const { list } = await callFor(getDevs, { text: imei, pageNo: 1, pageSize: 1 }, first)
  const login = await callFor(showGatewayLogin, { id: list[0]?.id ?? 0 }, second)
  const expiresAt = Date.now() + 3_600_000
  const name = `gateway ${imei}`
  const { key } = await callFor(addApiKey, { name, permissions: ['pd-datadevmanager'], expiresAt }, second)
  const folder = mkdtempSync(join(tmpdir(), 'isotherm-e2e-gateway-'))
  const child = fork(new URL('../../../apps/gateway/src/main.ts', import.meta.url), [], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      PATH: process.env.PATH,
      MQTT_URL: `mqtt://127.0.0.1:${login.port}`,
      ISOTHERM_GATEWAY_USER: login.username,
      ISOTHERM_GATEWAY_PASSWORD: login.password,
      ISOTHERM_GATEWAY_DATA: folder,
      ISOTHERM_GATEWAY_HISTORY_DELAY_S: '0',
      ISOTHERM_SERVER_URL: getProductUrl(),
      ISOTHERM_API_KEY: key,
    },
  })
  for await (const line of createInterface(child.stdout ?? process.stdin))
    if (line.startsWith('GATEWAY_READY ')) break
  child.stdout?.resume()
  return async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    }
    rmSync(folder, { recursive: true, force: true })
  }
}
