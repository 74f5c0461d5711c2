import type { DeviceProfile } from '@isotherm/contract/device-profile'
import type { GatewayConfig } from '@isotherm/contract/gateway-config'
import { resolveGatewayConfig } from '@isotherm/profiles/resolve-gateway-config'
import type { RunningDriver, StartDriver } from './driver.ts'
import { createLine, type Line, type LineNeeds } from './line.ts'

/** A driver for each kind of line. */
export interface Drivers {
  readonly 'dtu-tcp': StartDriver<'dtu-tcp'>
  readonly 'modbus-tcp': StartDriver<'modbus-tcp'>
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

export interface FieldNeeds extends Omit<LineNeeds, 'meterZoneMin' | 'firstTimeOutMs'> {
  readonly drivers: Drivers
  readonly report: (text: string) => void
}

export async function startField(config: GatewayConfig, needs: FieldNeeds): Promise<Field> {
  const { drivers, report } = needs
  const { lines: resolved, faults } = resolveGatewayConfig(config)
  for (const { line, serial, reason } of faults)
    report(`device ${serial} of line ${line} is left out: ${reason}`)
  const entries = new Map<string, FieldDeviceEntry>()
  const lines = resolved.map((each) => {
    const line = createLine(each, {
      ...needs,
      meterZoneMin: config.meterZoneMin,
      firstTimeOutMs: config.firstTimeOutMs,
    })
    for (const { serial, profileData } of each.devices) entries.set(serial, { line, profile: profileData })
    return { config: each.line, line }
  })
  const running: RunningDriver[] = []
  const close = async (): Promise<void> => {
    for (const { line } of lines) line.close()
    await Promise.all(running.map((driver) => driver.close()))
  }
  try {
    const dtu = lines.flatMap(({ config: of, line }) =>
      of.driver === 'dtu-tcp' ? [{ config: of, line }] : [],
    )
    const modbus = lines.flatMap(({ config: of, line }) =>
      of.driver === 'modbus-tcp' ? [{ config: of, line }] : [],
    )
    running.push(await drivers['modbus-tcp']({ lines: modbus, config, report }))
    running.push(await drivers['dtu-tcp']({ lines: dtu, config, report }))
  } catch (error) {
    await close()
    throw error
  }
  return {
    lines: lines.map(({ line }) => line),
    dtuPort: running.find(({ port }) => port !== undefined)?.port,
    find: (serial) => entries.get(serial),
    close,
  }
}
