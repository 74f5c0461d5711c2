import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { FieldLine, GatewayConfig } from '@isotherm/contract/gateway-config'
import { type ResolvedLine, resolveGatewayConfig } from '@isotherm/profiles/resolve-gateway-config'
import type { DriverNeeds, PrepareDriver, RadioKind } from './driver.ts'
import { createLine, type Line, type LineNeeds } from './line.ts'
import { createRadioLine } from './radio-line.ts'

type BusKind = Exclude<FieldLine['driver'], RadioKind>

/** A driver for each kind of line. */
export interface Drivers {
  readonly 'dtu-tcp': PrepareDriver<'dtu-tcp'>
  readonly 'modbus-tcp': PrepareDriver<'modbus-tcp'>
  readonly 'dtu-mqtt': PrepareDriver<'dtu-mqtt'>
  readonly 'chirpstack-mqtt': PrepareDriver<'chirpstack-mqtt'>
  readonly 'northbound-http': PrepareDriver<'northbound-http'>
}

export interface FieldDeviceEntry {
  readonly line: Line
  readonly profile: DeviceProfile
}

/** The lines of a configuration with their drivers. */
export interface Field {
  readonly lines: readonly Line[]
  /** Port on which the units connect. */
  readonly dtuPort: number | undefined
  /** Port on which IoT platforms push. */
  readonly pushPort: number | undefined
  readonly find: (serial: string) => FieldDeviceEntry | undefined
  readonly close: () => Promise<void>
}

/** A field that holds its ports and is not started yet. */
export interface PreparedField {
  readonly start: (needs: FieldNeeds) => Field
  readonly abandon: () => Promise<void>
}

export type FieldNeeds = Omit<LineNeeds, 'meterZoneMin' | 'firstTimeOutMs' | 'onUnknownDevice'>

export interface PreparationNeeds {
  readonly drivers: Drivers
  readonly report: DriverNeeds['report']
  readonly onUnknownDevice: DriverNeeds['onUnknownDevice']
  /**
   * True: devices that cannot be polled are reported and left out. False: they make the whole configuration invalid.
   */
  readonly leavesOutFaults: boolean
}

/** The lines of one driver. */
function listLines<Kind extends FieldLine['driver']>(resolved: readonly ResolvedLine[], kind: Kind) {
  const isOfKind = (line: FieldLine): line is Extract<FieldLine, { driver: Kind }> => line.driver === kind
  return resolved.flatMap((each) => (isOfKind(each.line) ? [{ config: each.line, resolved: each }] : []))
}

/** Checks a configuration and acquires its ports. Throws if it cannot be started, and then holds no port. */
export async function prepareField(
  config: GatewayConfig,
  { drivers, report, onUnknownDevice, leavesOutFaults }: PreparationNeeds,
): Promise<PreparedField> {
  const { lines: resolved, faults } = resolveGatewayConfig(config)
  const problems = faults.map(({ line, serial, reason }) => `device ${serial} of line ${line}: ${reason}`)
  if (problems.length > 0 && !leavesOutFaults) throw new Error(problems.slice(0, 5).join('; '))
  for (const problem of problems) report(`left out: ${problem}`)
  const needs: DriverNeeds = { config, report, onUnknownDevice }
  const prepared: { readonly close: () => Promise<void> }[] = []
  const closeDrivers = async (): Promise<void> => {
    await Promise.all(prepared.map((driver) => driver.close()))
  }
  const prepare = async <Kind extends FieldLine['driver']>(driver: PrepareDriver<Kind>) => {
    try {
      const taken = await driver(needs)
      prepared.push(taken)
      return taken
    } catch (error) {
      await closeDrivers()
      throw error
    }
  }
  const modbus = await prepare(drivers['modbus-tcp'])
  const chirpstack = await prepare(drivers['chirpstack-mqtt'])
  const dtuMqtt = await prepare(drivers['dtu-mqtt'])
  const northbound = await prepare(drivers['northbound-http'])
  const dtu = await prepare(drivers['dtu-tcp'])

  return {
    abandon: closeDrivers,
    start(lineNeeds) {
      const entries = new Map<string, FieldDeviceEntry>()
      const { meterZoneMin, firstTimeOutMs } = config
      const all = { ...lineNeeds, onUnknownDevice, meterZoneMin, firstTimeOutMs }
      const lines: Line[] = []
      const add = <Kind extends Line>(line: Kind, devices: ResolvedLine['devices']): Kind => {
        lines.push(line)
        for (const { serial, profileData } of devices) entries.set(serial, { line, profile: profileData })
        return line
      }
      const toBuses = <Kind extends BusKind>(kind: Kind) =>
        listLines(resolved, kind).map((each) => ({
          config: each.config,
          line: add(createLine(each.resolved, all), each.resolved.devices),
        }))
      const toRadios = <Kind extends RadioKind>(kind: Kind) =>
        listLines(resolved, kind).map((each) => ({
          config: each.config,
          line: add(createRadioLine(each.resolved, all), each.resolved.devices),
        }))
      modbus.start(toBuses('modbus-tcp'))
      chirpstack.start(toRadios('chirpstack-mqtt'))
      dtuMqtt.start(toBuses('dtu-mqtt'))
      northbound.start(toRadios('northbound-http'))
      dtu.start(toBuses('dtu-tcp'))
      return {
        lines,
        dtuPort: dtu.port,
        pushPort: northbound.port,
        find: (serial) => entries.get(serial),
        async close() {
          for (const line of lines) line.close()
          await closeDrivers()
        },
      }
    },
  }
}
