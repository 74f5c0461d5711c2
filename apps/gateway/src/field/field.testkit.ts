import { type GatewayConfig, gatewayConfig } from '@isotherm/contract/gateway-config'
import type { ChildReading } from '@isotherm/contract/mqtt'
import { createChirpstack } from '../drivers/chirpstack-mqtt/driver.ts'
import { createDtuMqtt } from '../drivers/dtu-mqtt/driver.ts'
import { createDtuTcp } from '../drivers/dtu-tcp/driver.ts'
import { prepareModbusTcp } from '../drivers/modbus-tcp/driver.ts'
import { createNorthbound } from '../drivers/northbound-http/driver.ts'
import type { PollMark } from '../store/poll-marks.ts'
import type { UnknownDevice } from './driver.ts'
import { prepareField } from './field.ts'
import { createPorts } from './ports.ts'

/** Lines with their drivers and no broker: what they read is collected. */
export async function startTestField(
  input: unknown,
  marks: ReadonlyMap<string, PollMark> = new Map(),
  stored: () => Promise<void> = async () => undefined,
) {
  const config: GatewayConfig = gatewayConfig.parse(input)
  const readings: ChildReading[] = []
  const problems: string[] = []
  const unknownDevices: UnknownDevice[] = []
  const report = (text: string): void => {
    problems.push(text)
  }
  const prepared = await prepareField(config, {
    drivers: {
      'dtu-tcp': createDtuTcp(createPorts(report)),
      'dtu-mqtt': createDtuMqtt({ clientId: 'test' }),
      'modbus-tcp': prepareModbusTcp,
      'chirpstack-mqtt': createChirpstack({ clientId: 'test', now: Date.now, stored }),
      'northbound-http': createNorthbound({ ports: createPorts(report), now: Date.now, stored }),
    },
    report,
    onUnknownDevice: (each) => {
      unknownDevices.push(each)
    },
    leavesOutFaults: true,
  })
  /** What the next process would find. */
  const newMarks = new Map(marks)
  const field = prepared.start({
    now: Date.now,
    findMark: (serial) => marks.get(serial),
    onReadings(children, mark) {
      readings.push(...children)
      if (mark !== undefined) newMarks.set(mark.serial, mark)
    },
  })
  return {
    ...field,
    readings,
    problems,
    unknownDevices,
    marks: newMarks,
    of: (serial: string) => readings.filter(({ id }) => id === serial),
  }
}
