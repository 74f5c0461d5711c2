import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { GatewayConfig } from '@isotherm/contract/gateway-config'
import { resolveGatewayConfig } from '@isotherm/profiles/resolve-gateway-config'
import type { DriverNeeds, PrepareDriver } from './driver.ts'
import { createLine, type Line, type LineNeeds } from './line.ts'
import { createRadioLine } from './radio-line.ts'

/** A driver for each kind of line. */
export interface Drivers {
  readonly 'dtu-tcp': PrepareDriver<'dtu-tcp'>
  readonly 'modbus-tcp': PrepareDriver<'modbus-tcp'>
  readonly 'chirpstack-mqtt': PrepareDriver<'chirpstack-mqtt'>
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
  readonly find: (serial: string) => FieldDeviceEntry | undefined
  readonly close: () => Promise<void>
}

/** A field that has its ports and has not started. */
export interface PreparedField {
  readonly start: (needs: FieldNeeds) => Field
  readonly abandon: () => Promise<void>
}

export type FieldNeeds = Omit<LineNeeds, 'meterZoneMin' | 'firstTimeOutMs'>

export interface PreparationNeeds {
  readonly drivers: Drivers
  readonly report: DriverNeeds['report']
  /** Devices that cannot be polled are reported and left out; otherwise they refuse the whole configuration. */
  readonly leavesOutFaults: boolean
}

/** Checks a configuration and takes its ports. Throws if it cannot be started; nothing is taken then. */
export async function prepareField(
  config: GatewayConfig,
  { drivers, report, leavesOutFaults }: PreparationNeeds,
): Promise<PreparedField> {
  const { lines: resolved, faults } = resolveGatewayConfig(config)
  const problems = faults.map(({ line, serial, reason }) => `device ${serial} of line ${line}: ${reason}`)
  if (problems.length > 0 && !leavesOutFaults) throw new Error(problems.slice(0, 5).join('; '))
  for (const problem of problems) report(`left out: ${problem}`)
  const needs: DriverNeeds = { config, report }
  const modbus = await drivers['modbus-tcp'](needs)
  const chirpstack = await drivers['chirpstack-mqtt'](needs)
  // The only one that may fail is the last one.
  const dtu = await drivers['dtu-tcp'](needs)
  const closeDrivers = async (): Promise<void> => {
    await Promise.all([modbus.close(), chirpstack.close(), dtu.close()])
  }

  return {
    abandon: closeDrivers,
    start(lineNeeds) {
      const entries = new Map<string, FieldDeviceEntry>()
      const { meterZoneMin, firstTimeOutMs } = config
      const buses = resolved.flatMap((each) => {
        if (each.line.driver === 'chirpstack-mqtt') return []
        return [{ config: each.line, line: createLine(each, { ...lineNeeds, meterZoneMin, firstTimeOutMs }) }]
      })
      const radios = resolved.flatMap((each) => {
        if (each.line.driver !== 'chirpstack-mqtt') return []
        return [
          { config: each.line, line: createRadioLine(each, { ...lineNeeds, meterZoneMin, firstTimeOutMs }) },
        ]
      })
      const lines: Line[] = [...buses, ...radios].map(({ line }) => line)
      const byId = new Map(lines.map((line) => [line.id, line]))
      for (const { line: config, devices } of resolved) {
        const line = byId.get(config.id)
        if (line === undefined) continue
        for (const { serial, profileData } of devices) entries.set(serial, { line, profile: profileData })
      }
      modbus.start(
        buses.flatMap(({ config: of, line }) => (of.driver === 'modbus-tcp' ? [{ config: of, line }] : [])),
      )
      chirpstack.start(radios)
      dtu.start(
        buses.flatMap(({ config: of, line }) => (of.driver === 'dtu-tcp' ? [{ config: of, line }] : [])),
      )
      return {
        lines,
        dtuPort: dtu.port,
        find: (serial) => entries.get(serial),
        async close() {
          for (const line of lines) line.close()
          await closeDrivers()
        },
      }
    },
  }
}
