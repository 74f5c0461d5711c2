import { type GatewayConfig, gatewayConfig } from '@isotherm/contract/gateway-config'
import type { ChildReading } from '@isotherm/contract/mqtt'
import { startDtuTcp } from '../drivers/dtu-tcp/driver.ts'
import { startModbusTcp } from '../drivers/modbus-tcp/driver.ts'
import type { PollMark } from '../store/poll-marks.ts'
import { startField } from './field.ts'

/** Lines with their drivers and no broker: what they read is collected. */
export async function startTestField(input: unknown, marks: ReadonlyMap<string, PollMark> = new Map()) {
  const config: GatewayConfig = gatewayConfig.parse(input)
  const readings: ChildReading[] = []
  const problems: string[] = []
  const field = await startField(config, {
    drivers: { 'dtu-tcp': startDtuTcp, 'modbus-tcp': startModbusTcp },
    now: Date.now,
    report: (text) => problems.push(text),
    findMark: (serial) => marks.get(serial),
    onReadings: (children) => readings.push(...children),
  })
  return { ...field, readings, problems, of: (serial: string) => readings.filter(({ id }) => id === serial) }
}
