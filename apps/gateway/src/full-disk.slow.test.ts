import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { simulateUnit } from './drivers/dtu-tcp/simulator.testkit.ts'
import { simulateCjtMeter } from './field/simulated-devices.testkit.ts'
import { launchGateway } from './testing/gateway-process.testkit.ts'

/** The kernel refuses a process to write files beyond a size, as a full disk does. */
const hasLimits = spawnSync('prlimit', ['--version']).status === 0
const limitFiles = (pid: number, bytes: number | 'unlimited'): void => {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
}

test.runIf(hasLimits)(
  'a process whose disk is full goes on polling, and stores all when there is room',
  async () => {
    const registration = '867725030000017'
    const meter = { serial: 'M1', address: '00001112345678', profile: 'heat-meter-cjt188', pollPeriodS: 1 }
    const gateway = await launchGateway(
      { mqttUrl: () => 'mqtt://127.0.0.1:1', password: 'secret' },
      { lines: [{ driver: 'dtu-tcp', id: 'L1', registration, devices: [meter] }] },
    )
    const simulated = simulateCjtMeter(meter.address)
    const unit = simulateUnit({
      port: gateway.dtuPort,
      registration: Buffer.from(registration),
      devices: [simulated],
    })
    try {
      await expect.poll(() => simulated.state.energyKwh).toBeGreaterThan(1)
      limitFiles(gateway.pid(), 1_024)
      const before = simulated.state.energyKwh
      await expect.poll(() => simulated.state.energyKwh, { timeout: 30_000 }).toBeGreaterThan(before + 5)
      limitFiles(gateway.pid(), 'unlimited')
      const afterwards = simulated.state.energyKwh
      await expect.poll(() => simulated.state.energyKwh, { timeout: 30_000 }).toBeGreaterThan(afterwards + 3)
      unit.close()
      await gateway.stop()
      const values = gateway.readStore().flatMap(({ m }) => m['heat.energy'] ?? [])
      expect(values).toEqual(Array.from({ length: simulated.state.energyKwh }, (_, at) => at + 1))
    } finally {
      unit.close()
      await gateway.close()
    }
  },
)
