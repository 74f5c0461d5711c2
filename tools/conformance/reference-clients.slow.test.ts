import { describe, expect, test } from 'vitest'
import { createClientProcess, referenceClients } from '../../clients/run-client.testkit.ts'
import { toReport } from './findings.ts'
import { runConformance } from './run-conformance.ts'

const INTERVAL_S = 0.5
const device = {
  tenant: 'demo',
  gateway: 'C-1',
  password: 'a password of the tests only',
  token: `once-${'0'.repeat(26)}`,
}

describe.each(referenceClients)('the reference client in $name', (client) => {
  test.skipIf(!client.canRun)('conforms, with a kill in between', async () => {
    let running: ReturnType<typeof createClientProcess> | undefined
    const findings = await runConformance({
      host: '127.0.0.1',
      port: 0,
      device,
      devices: ['V-1'],
      limits: {
        connectMs: 30_000,
        periodMs: INTERVAL_S * 1_000,
        reconnectMs: 30_000,
        replyMs: 10_000,
        strokeMs: 10_000,
        historyMs: 30_000,
      },
      print: () => undefined,
      ready(port) {
        const login = { port, username: 'demo/C-1', password: device.token, valve: 'V-1' }
        running = createClientProcess(client, login, { boot: 0, intervalS: INTERVAL_S, strokeS: 0.2 })
        running.start()
      },
      async restart() {
        await running?.kill()
        running?.start()
      },
    })
    await running?.close()
    expect(toReport(findings)).toContain('The device is right')
    expect([...findings.listUnchecked()]).toEqual([])
  })
})
