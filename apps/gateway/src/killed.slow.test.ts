import { setTimeout as pause } from 'node:timers/promises'
import { getCtlLog, publishMqCtlCmd } from '@isotherm/contract/endpoints/control/commands'
import { createRandom } from '@isotherm/kernel/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { simulateUnit } from './drivers/dtu-tcp/simulator.testkit.ts'
import { simulateCjtMeter, simulateRtuDevice } from './field/simulated-devices.testkit.ts'
import { launchGateway } from './testing/gateway-process.testkit.ts'
import { startWholeServer, type Tokens, type WholeServer } from './testing/whole-server.testkit.ts'

/** An hour of one-minute polls, twenty times as fast. */
const PERIODS = 60
const PERIOD_S = 3
const KILLS = 10
const LINES = 4
const METERS = 3
const lineNumbers = Array.from({ length: LINES }, (_, line) => line)
const meterNumbers = Array.from({ length: METERS }, (_, meter) => meter)

const meterOf = (line: number, meter: number): string => `M${line}${meter}`
const valveOf = (line: number): string => `V${line}`
const addressOf = (line: number, meter: number): string => `000011123456${line}${meter}`
const registrationOf = (line: number): string => `86772503000001${line}`

let server: WholeServer
let tokens: Tokens

beforeAll(async () => {
  server = await startWholeServer(
    lineNumbers.flatMap((line) => [
      ...meterNumbers.map((meter) => ({ serial: meterOf(line, meter), kind: 'heat-meter' as const })),
      { serial: valveOf(line), kind: 'valve' as const },
    ]),
  )
  tokens = await server.logIn('dispatcher')
})
afterAll(() => server.close())

test(`a gateway that is killed ${KILLS} times in ${PERIODS} polls loses nothing it stored and repeats no command`, {
  timeout: 600_000,
}, async () => {
  const random = createRandom(1)
  const meters = lineNumbers.map((line) =>
    meterNumbers.map((meter) => simulateCjtMeter(addressOf(line, meter))),
  )
  const valves = lineNumbers.map(() =>
    simulateRtuDevice(5, Object.assign([], { 100: 10, 101: 10, 102: 480, 103: 381 }), (registers) => {
      setTimeout(() => {
        registers[101] = registers[100] ?? 0
      }, 1_500)
    }),
  )
  const gateway = await launchGateway(server, {
    firstTimeOutMs: 500,
    lines: lineNumbers.map((line) => ({
      driver: 'dtu-tcp',
      id: `L${line}`,
      registration: registrationOf(line),
      devices: [
        ...meterNumbers.map((meter) => ({
          serial: meterOf(line, meter),
          address: addressOf(line, meter),
          profile: 'heat-meter-cjt188',
          pollPeriodS: PERIOD_S,
        })),
        { serial: valveOf(line), address: '5', profile: 'valve-modulating-modbus', pollPeriodS: 60 },
      ],
    })),
  })
  const units = lineNumbers.map((line) =>
    simulateUnit({
      port: gateway.dtuPort,
      registration: Buffer.from(registrationOf(line)),
      devices: [...(meters[line] ?? []), ...valves.slice(line, line + 1)],
    }),
  )
  const ids = new Map<string, number>()
  for (const serial of lineNumbers.flatMap((line) => [
    valveOf(line),
    ...meterNumbers.map((meter) => meterOf(line, meter)),
  ]))
    ids.set(serial, await server.idOf(serial, tokens))
  const commands: string[] = []
  const committed = new Map<string, number>()
  try {
    for (let round = 0; round < KILLS; round++) {
      // One command to each valve per round, with an opening of its own. The kill meets it before, during or after the write.
      for (const line of lineNumbers) {
        const order = {
          targets: [{ deviceId: ids.get(valveOf(line)) ?? 0, openingPct: 15 + 7 * round + line }],
          reason: 'test',
        }
        commands.push((await server.call(publishMqCtlCmd, order, tokens)).commands[0]?.id ?? '')
        await pause(100 * random())
      }
      await pause(2_500 * random())
      await gateway.kill()
      for (const { id, ts, m } of gateway.readStore()) {
        const energy = m['heat.energy']
        if (energy !== undefined) committed.set(`${id} ${ts}`, energy)
      }
      await gateway.restart()
      await pause((1_000 * PERIODS * PERIOD_S) / KILLS - 4_000)
    }
    await expect
      .poll(
        async () => {
          const { datalist } = await server.call(getCtlLog, { limiter: { page: 1, size: 100 } }, tokens)
          return datalist
            .filter(({ state }) => state !== 'confirmed' && state !== 'superseded')
            .map(({ state }) => state)
        },
        { timeout: 120_000 },
      )
      .toEqual([])
    for (const unit of units) unit.unplug()
    await gateway.kill()
    await gateway.restart()
    await expect
      .poll(() => gateway.readStore().filter(({ m }) => m['heat.energy'] !== undefined).length, {
        timeout: 60_000,
      })
      .toBe(0)

    let [answered, stored] = [0, 0]
    for (const line of lineNumbers) {
      for (const meter of meterNumbers) {
        const serial = meterOf(line, meter)
        const readings = await server.readings(ids.get(serial) ?? 0, 'heat.energy')
        const found = new Map(readings.map(({ ts, value }) => [`${serial} ${ts}`, value]))
        // What it had stored at a kill has arrived, each once.
        const lost = [...committed].filter(
          ([key, value]) => key.startsWith(`${serial} `) && found.get(key) !== value,
        )
        expect(lost).toEqual([])
        expect(readings.filter(({ rows }) => rows !== 1)).toEqual([])
        const values = readings.map(({ value }) => value)
        expect(new Set(values).size).toBe(values.length)
        // An answer can only be lost between its arrival and its storage: at a kill, one per line.
        const energyKwh = meters[line]?.[meter]?.state.energyKwh ?? 0
        expect(energyKwh - values.length).toBeLessThanOrEqual(KILLS + 1)
        answered += energyKwh
        stored += values.length
      }
      // No opening was written twice.
      const { writes } = valves[line]?.state ?? { writes: [] }
      expect(new Set(writes).size).toBe(writes.length)
      expect(writes.at(-1)).toBe(15 + 7 * (KILLS - 1) + line)
    }
    const written = valves.reduce((sum, { state }) => sum + state.writes.length, 0)
    expect(commands).toHaveLength(KILLS * LINES)
    expect(written).toBeGreaterThan(KILLS * LINES * 0.8)
    console.log(
      `${answered} answers, ${stored} stored, ${committed.size} in the store at a kill; ${commands.length} commands, ${written} writes`,
    )
  } finally {
    for (const unit of units) unit.close()
    await gateway.close()
  }
})
