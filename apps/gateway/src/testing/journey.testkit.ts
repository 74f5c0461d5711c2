import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCtlLog } from '@isotherm/contract/endpoints/control/commands'
import { gatewayConfig } from '@isotherm/contract/gateway-config'
import type { MetricName } from '@isotherm/contract/metrics'
import { type Gateway, startGateway } from '../runtime/gateway.ts'
import { type FieldDevice, GATEWAY, startWholeServer, TENANT, type Tokens } from './whole-server.testkit.ts'

/** The real server, gateways in this process, and what a dispatcher sees. */
export async function openJourney(devices: readonly FieldDevice[]) {
  const server = await startWholeServer(devices)
  let tokens: Tokens = await server.logIn('dispatcher')
  const closers: (() => unknown)[] = []
  return {
    server,
    tokens: () => tokens,
    /** Signs in again after the server was away. */
    async logIn(): Promise<void> {
      tokens = await server.logIn('dispatcher')
    },
    onEnd: (...given: (() => unknown)[]): void => {
      closers.push(...given)
    },
    /** Undoes what a test opened. */
    async end(): Promise<void> {
      for (const close of closers.splice(0).reverse()) await close()
    },
    async start(config: object): Promise<Gateway> {
      const dataFolder = mkdtempSync(join(tmpdir(), 'isotherm-gateway-store-'))
      const gateway = startGateway({
        mqttUrl: server.mqttUrl(),
        name: { tenant: TENANT, gateway: GATEWAY },
        password: server.password,
        dataFolder,
        storeBytes: 1e8,
        historyDelayMs: 0,
        report: () => undefined,
      })
      closers.push(() => rmSync(dataFolder, { recursive: true }), gateway.close)
      await gateway.configure(gatewayConfig.parse({ v: 1, firstTimeOutMs: 500, ...config }), false)
      return gateway
    },
    /** State of a command as the command log shows it. */
    async stateOf(id: string): Promise<string | undefined> {
      const { datalist } = await server.call(getCtlLog, { limiter: { page: 1, size: 100 } }, tokens)
      return datalist.find((command) => command.id === id)?.state
    },
    stored: async (serial: string, metric: MetricName) =>
      server.readings(await server.idOf(serial, tokens), metric),
  }
}

export type Journey = Awaited<ReturnType<typeof openJourney>>
